import { useEffect, useState } from 'preact/hooks';

/** Counts down from `seconds` at `startedAt` to 0. */
export const useCountdown = (seconds: number | null, startedAt: number): number => {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (seconds === null) return;
    setNow(performance.now());
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [seconds, startedAt]);
  return seconds === null ? 0 : Math.max(0, Math.ceil(seconds - (Math.max(now, startedAt) - startedAt) / 1_000));
};
