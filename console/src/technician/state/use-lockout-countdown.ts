import { useState } from 'preact/hooks';
import type { TechnicianApiError } from '../api/api-result.ts';
import { useCountdown } from './use-countdown.ts';

const DEFAULT_S = 30;

/** Counts down a lockout after too many wrong entries. */
export const useLockoutCountdown = () => {
  const [lockout, setLockout] = useState<{ readonly seconds: number; readonly startedAt: number } | null>(null);
  const secondsLeft = useCountdown(lockout?.seconds ?? null, lockout?.startedAt ?? 0);
  /** Returns false for an error that is not a lockout. */
  const startLockout = (error: TechnicianApiError): boolean => {
    if (error.kind === 'offline' || error.status !== 429) return false;
    setLockout({ seconds: error.retry_after_s ?? DEFAULT_S, startedAt: performance.now() });
    return true;
  };
  return { secondsLeft, startLockout };
};
