import type { TechnicianInputRulesResponse } from '@lintel/wire-protocol/technician/input-rules';
import type { TechnicianStatusResponse } from '@lintel/wire-protocol/technician/status-and-support-bundle';
import type { TechnicianHardwareTestsResponse } from '@lintel/wire-protocol/technician/hardware-tests';
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef } from 'preact/hooks';
import { setSiteTimeZone } from '../messages/format-time.ts';
import { type LoadedControllerResource, useLiveMessages, useControllerResource } from '../api/controller-hooks.ts';

/** The data that several screens share. */
export interface SharedControllerData {
  readonly status: LoadedControllerResource<TechnicianStatusResponse>;
  readonly rules: LoadedControllerResource<TechnicianInputRulesResponse>;
  readonly tests: LoadedControllerResource<TechnicianHardwareTestsResponse>;
}

const STATUS_POLL_MS = 4_000;
const RULES_POLL_MS = 10_000;
const DEBOUNCE_MS = 150;

const useDebounced = (action: () => void): (() => void) => {
  const timer = useRef(0);
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => latest.current(), DEBOUNCE_MS);
  };
};

export const useSharedControllerDataLoader = (): SharedControllerData => {
  const status = useControllerResource<TechnicianStatusResponse>('/status', STATUS_POLL_MS);
  const rules = useControllerResource<TechnicianInputRulesResponse>('/input_rules', RULES_POLL_MS);
  const tests = useControllerResource<TechnicianHardwareTestsResponse>('/tests');
  setSiteTimeZone(status.value?.site_time_zone ?? null);
  const reloadStatus = useDebounced(() => void status.reload());
  const reloadRules = useDebounced(() => void rules.reload());
  useLiveMessages(({ type }) => {
    if (type === 'event' || type === 'input') reloadStatus();
    if (type === 'rules') reloadRules();
  });
  return useMemo(
    () => ({ status, rules, tests }),
    [status.value, status.error, rules.value, rules.error, tests.value, tests.error],
  );
};

const ControllerDataContext = createContext<SharedControllerData | null>(null);
export const SharedControllerDataProvider = ControllerDataContext.Provider;

export const useSharedControllerData = (): SharedControllerData => {
  const data = useContext(ControllerDataContext);
  if (data === null) throw new Error('ControllerDataProvider is missing');
  return data;
};
