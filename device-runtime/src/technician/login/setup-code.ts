import { createHash, timingSafeEqual } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import { CLAIM_CODE_BYTES, formatClaimCode, normalizeClaimCode } from '@lintel/wire-protocol/claiming/claim-code';

const GROUP_AND_OTHERS = 0o077;

const readStoredCode = (path: string): string | null => {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    if ((fstatSync(file).mode & GROUP_AND_OTHERS) !== 0) throw new Error(`${path} must be readable by its owner only`);
    return normalizeClaimCode(readFileSync(file, 'utf8').trim());
  } finally {
    closeSync(file);
  }
};

/** The code on the label: 60 random bits. A prepared image already contains it. */
export class SetupCode {
  /** As printed: `7K3M-0QXW-PT5H`. */
  readonly printed: string;
  readonly #digest: Buffer;

  private constructor(plain: string) {
    this.printed = plain.match(/.{4}/g)!.join('-');
    this.#digest = SetupCode.#digestOf(plain);
  }

  static #digestOf(plain: string): Buffer {
    return createHash('sha256').update(plain).digest();
  }

  /** Created at the first start, and again when damaged. */
  static open(folder: string, randomBytes: (count: number) => Uint8Array): SetupCode {
    const path = join(folder, 'setup-code');
    const stored = readStoredCode(path);
    if (stored !== null) return new SetupCode(stored);
    const code = new SetupCode(normalizeClaimCode(formatClaimCode(randomBytes(CLAIM_CODE_BYTES)))!);
    writePrivateFile(path, `${code.printed}\n`);
    return code;
  }

  /** Ignores case and separators. Takes constant time. */
  matches(typed: string): boolean {
    return timingSafeEqual(SetupCode.#digestOf(normalizeClaimCode(typed) ?? ''), this.#digest);
  }

  /** Removes the code from a text. */
  redact(text: string): string {
    return text.replaceAll(this.printed, '…').replaceAll(this.printed.replaceAll('-', ''), '…');
  }
}
