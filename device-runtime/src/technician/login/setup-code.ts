import { createHash, timingSafeEqual } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setAsideDamagedFile } from '@lintel/service/data-folder/damaged-file';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import { getErrorCode } from '@lintel/service/error-code';
import {
  CLAIM_CODE_RANDOM_BYTES,
  formatClaimCode,
  normalizeClaimCode,
} from '@lintel/wire-protocol/claiming/claim-code';

const GROUP_AND_OTHERS = 0o077;

class SetupCodeError extends Error {
  override readonly name = 'SetupCodeError';
}

/** Null when there is none, or when it was damaged and set aside. */
const readStoredCode = (path: string): string | null => {
  let code: string | null = null;
  try {
    const stat = lstatSync(path);
    if (stat.isFile() && (stat.mode & GROUP_AND_OTHERS) !== 0)
      throw new SetupCodeError(`${path} must be readable by its owner only: chmod 600 ${path}`);
    code = normalizeClaimCode(readFileSync(path, 'utf8').trim());
  } catch (error) {
    if (error instanceof SetupCodeError) throw error;
    if (getErrorCode(error) === 'ENOENT') return null;
    if (getErrorCode(error) !== 'EISDIR')
      throw new SetupCodeError(`${path} cannot be read (${getErrorCode(error)})`, { cause: error });
  }
  if (code === null) setAsideDamagedFile(path, 'not a setup code');
  return code;
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
    const code = new SetupCode(normalizeClaimCode(formatClaimCode(randomBytes(CLAIM_CODE_RANDOM_BYTES)))!);
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
