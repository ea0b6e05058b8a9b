import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';
import type { TechnicianStatus } from '@lintel/wire-protocol/technician/status';
import type { TechnicianTests } from '@lintel/wire-protocol/technician/tests';
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef } from 'preact/hooks';
import { type Reading, useHearing, useReading } from '../link/use-visit.ts';

/** What more than one screen goes by. */
export interface Known {
  readonly status: Reading<TechnicianStatus>;
  readonly rules: Reading<TechnicianRules>;
  readonly tests: Reading<TechnicianTests>;
}

const STATUS_MS = 4_000;
const RULES_MS = 10_000;
const TOGETHER_MS = 150;

/** Read soon, once for all that happens together. */
const useSoon = (work: () => void): (() => void) => {
  const timer = useRef(0);
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => latest.current(), TOGETHER_MS);
  };
};

export const useKnown = (): Known => {
  const status = useReading<TechnicianStatus>('/status', STATUS_MS);
  const rules = useReading<TechnicianRules>('/input_rules', RULES_MS);
  const tests = useReading<TechnicianTests>('/tests');
  const statusSoon = useSoon(() => void status.reload());
  const rulesSoon = useSoon(() => void rules.reload());
  useHearing(({ type }) => {
    if (type === 'event' || type === 'input') statusSoon();
    if (type === 'rules') rulesSoon();
  });
  return useMemo(
    () => ({ status, rules, tests }),
    [status.value, status.failure, rules.value, rules.failure, tests.value, tests.failure],
  );
};

const KnownContext = createContext<Known | null>(null);
export const KnownProvider = KnownContext.Provider;

export const useWhatIsKnown = (): Known => {
  const known = useContext(KnownContext);
  if (known === null) throw new Error('a screen outside of the page');
  return known;
};
