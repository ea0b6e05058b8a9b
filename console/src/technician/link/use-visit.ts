import type { LiveHappening } from '@lintel/wire-protocol/technician/live';
import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from './answer.ts';
import { Attendance } from './attendance.ts';
import { placeOf } from './place.ts';
import { useStore } from './store.ts';
import { Visit } from './visit.ts';

/** One for the page. */
export const visit = new Visit(placeOf(location.pathname));
const attendance = new Attendance();

export interface Reading<T> {
  /** The last that came: an answer that fails takes nothing away. */
  readonly value: T | null;
  readonly failure: Failure | null;
  /** When `value` came, in the time of `performance.now()`. */
  readonly readAt: number;
  readonly reload: () => Promise<void>;
  /** Another request has answered the same thing. */
  readonly put: (value: T) => void;
}

/** Read at once, after each login and reconnection, and every so often while somebody is there. */
export const useReading = <T>(path: string | null, every_ms: number | null = null): Reading<T> => {
  const era = useStore(visit.era);
  const { entry } = useStore(visit.presence);
  const [state, setState] = useState<{ value: T | null; failure: Failure | null; readAt: number }>({
    value: null,
    failure: null,
    readAt: 0,
  });
  const asked = useRef(0);
  const put = useCallback((value: T) => {
    asked.current += 1;
    setState({ value, failure: null, readAt: performance.now() });
  }, []);
  const reload = useCallback(async () => {
    if (path === null) return;
    asked.current += 1;
    const turn = asked.current;
    const answer = await visit.ask<T>({ method: 'GET', path });
    if (turn !== asked.current) return;
    if (answer.ok) setState({ value: answer.value, failure: null, readAt: performance.now() });
    else setState(before => ({ ...before, failure: answer.failure }));
  }, [path]);
  useEffect(() => {
    if (entry !== 'in') return;
    void reload();
    if (every_ms === null) return;
    const timer = setInterval(() => {
      if (attendance.isAttended) void reload();
    }, every_ms);
    return () => clearInterval(timer);
  }, [reload, every_ms, era, entry]);
  return { ...state, reload, put };
};

export const useHearing = (listener: (what: LiveHappening) => void): void => {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => visit.listen(what => latest.current(what)), []);
};

/** The seconds that are left of `seconds` told at `readAt`, counted down once a second; 0 when it is over. */
export const useCountdown = (seconds: number | null, readAt: number): number => {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (seconds === null) return;
    setNow(performance.now());
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [seconds, readAt]);
  return seconds === null ? 0 : Math.max(0, Math.ceil(seconds - (Math.max(now, readAt) - readAt) / 1_000));
};

/** Something to say for a moment, to whoever is on the page. */
export const NoticeContext = createContext<(words: string, isBad?: boolean) => void>(() => undefined);
export const useNotify = () => useContext(NoticeContext);
