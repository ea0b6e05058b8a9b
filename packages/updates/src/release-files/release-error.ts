import { systemErrorInWords } from '@lintel/service/command-line/system-error';
import type { ReleaseRefusal } from '@lintel/wire-protocol/updates/release-acceptance';

/** Nothing of the release was taken, and whatever ran goes on. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
  readonly code: ReleaseRefusal;

  constructor(code: ReleaseRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** With the code of a refusal, by which it can be looked up. */
export const refusalInWords = (error: unknown): string =>
  error instanceof ReleaseError ? `${error.message} (${error.code})` : systemErrorInWords(error);
