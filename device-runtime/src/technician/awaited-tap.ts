import { type CaughtTap, type NextTap, NextTapBusyError } from '../reader-units/next-tap.ts';
import type { AuthenticatedRequest } from './http/route.ts';
import { TechnicianError } from './errors/technician-error.ts';

const LONGEST_MS = 30_000;

/** The next card at this reader, or at any of this controller; null when nobody came in time, or whoever waited has gone. */
export const awaitedTap = async (
  nextTap: NextTap,
  { reply }: Pick<AuthenticatedRequest, 'reply'>,
  who: string,
  station?: string,
): Promise<CaughtTap | null> => {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  reply.raw.once('close', leave);
  try {
    return await nextTap.wait(who, LONGEST_MS, { signal: gone.signal, ...(station === undefined ? {} : { station }) });
  } catch (error) {
    if (!(error instanceof NextTapBusyError)) throw error;
    throw new TechnicianError('conflict', `${error.message}: one at a time`, { reason: 'busy' });
  } finally {
    reply.raw.off('close', leave);
  }
};
