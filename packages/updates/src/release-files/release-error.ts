import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import type { ReleaseRejectionCode } from '@lintel/wire-protocol/updates/release-rejection';

/** A release was rejected. The running version is unchanged. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
  readonly code: ReleaseRejectionCode;

  constructor(code: ReleaseRejectionCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Includes the error code, which the documentation explains. */
export const describeReleaseError = (error: unknown): string =>
  error instanceof ReleaseError ? `${error.message} (${error.code})` : describeSystemError(error);
