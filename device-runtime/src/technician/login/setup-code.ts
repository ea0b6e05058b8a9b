import { createHash, timingSafeEqual } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from '@lintel/service/data-folder/private-file';
import { CLAIM_CODE_BYTES, claimCodeOf, plainClaimCode } from '@lintel/wire-protocol/claiming/claim-code';

const OTHERS = 0o077;

const readKept = (path: string): string | null => {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    if ((fstatSync(file).mode & OTHERS) !== 0) throw new Error(`${path} must be readable by its owner only`);
    return plainClaimCode(readFileSync(file, 'utf8').trim());
  } finally {
    closeSync(file);
  }
};

/** What is on the label: 60 random bits. An image that is prepared with a label puts its code there beforehand. */
export class SetupCode {
  /** As it is printed: `7K3M-0QXW-PT5H`. */
  readonly printed: string;
  readonly #digest: Buffer;

  private constructor(plain: string) {
    this.printed = plain.match(/.{4}/g)!.join('-');
    this.#digest = SetupCode.#digestOf(plain);
  }

  static #digestOf(plain: string): Buffer {
    return createHash('sha256').update(plain).digest();
  }

  /** Made at first start; one that is damaged is made anew. */
  static open(folder: string, randomBytes: (count: number) => Uint8Array): SetupCode {
    const path = join(folder, 'setup-code');
    const kept = readKept(path);
    if (kept !== null) return new SetupCode(kept);
    const code = new SetupCode(plainClaimCode(claimCodeOf(randomBytes(CLAIM_CODE_BYTES)))!);
    writePrivately(path, `${code.printed}\n`);
    return code;
  }

  /** However it was typed, and in the same time whatever is wrong with it. */
  matches(typed: string): boolean {
    return timingSafeEqual(SetupCode.#digestOf(plainClaimCode(typed) ?? ''), this.#digest);
  }

  /** The text without the code, should it have got into it. */
  hiddenIn(text: string): string {
    return text.replaceAll(this.printed, '…').replaceAll(this.printed.replaceAll('-', ''), '…');
  }
}
