import { useState } from 'preact/hooks';
import type { Failure } from '../link/answer.ts';
import { useCountdown } from '../link/use-visit.ts';

const USUAL_S = 30;

/** After too many wrong entries: how many seconds nothing is taken, counted down; 0 when there is no such lock. */
export const useLock = () => {
  const [lock, setLock] = useState<{ readonly seconds: number; readonly at: number } | null>(null);
  const left = useCountdown(lock?.seconds ?? null, lock?.at ?? 0);
  /** Whether that is why it was refused. */
  const isLocking = (failure: Failure): boolean => {
    if (failure.kind === 'offline' || failure.status !== 429) return false;
    setLock({ seconds: failure.retry_after_s ?? USUAL_S, at: performance.now() });
    return true;
  };
  return { left, isLocking };
};
