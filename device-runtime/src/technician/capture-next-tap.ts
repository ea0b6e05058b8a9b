import { type CapturedTap, type TapCapture, TapCaptureBusyError } from '../reader-units/tap-capture.ts';
import type { AuthenticatedTechnicianRequest } from './http/technician-route-definition.ts';
import { TechnicianRequestError } from './errors/technician-request-error.ts';

const TIMEOUT_MS = 30_000;

/** The next tap at this or any reader; null on timeout or when the client disconnects. */
export const captureNextTapForTechnician = async (
  nextTap: TapCapture,
  { reply }: Pick<AuthenticatedTechnicianRequest, 'reply'>,
  purpose: string,
  { station, owner }: { readonly station?: string; readonly owner?: string } = {},
): Promise<CapturedTap | null> => {
  const disconnected = new AbortController();
  const onClose = (): void => disconnected.abort();
  reply.raw.once('close', onClose);
  try {
    return await nextTap.waitForTap(purpose, TIMEOUT_MS, {
      signal: disconnected.signal,
      ...(station === undefined ? {} : { station }),
      ...(owner === undefined ? {} : { owner }),
    });
  } catch (error) {
    if (!(error instanceof TapCaptureBusyError)) throw error;
    throw new TechnicianRequestError('conflict', error.message, { reason: 'busy' });
  } finally {
    reply.raw.off('close', onClose);
  }
};
