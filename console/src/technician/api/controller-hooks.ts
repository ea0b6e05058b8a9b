import type { TechnicianLiveMessage } from '@lintel/wire-protocol/technician/live-message';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { TechnicianApiError } from './api-result.ts';
import { ControllerSession } from './controller-session.ts';
import { parseTechnicianPagePath } from './controller-endpoint.ts';
import { useObservableValue } from './observable-value.ts';
import { UserActivityMonitor } from './user-activity-monitor.ts';

export const controllerSession = new ControllerSession(parseTechnicianPagePath(location.pathname));
const userActivity = new UserActivityMonitor();

export interface LoadedControllerResource<T> {
  /** The last value that was loaded. An error does not remove it. */
  readonly value: T | null;
  readonly error: TechnicianApiError | null;
  /** When `value` was loaded, on the clock of `performance.now()`. */
  readonly loadedAt: number;
  readonly reload: () => Promise<void>;
  /** Replaces the value with the response of another request. */
  readonly setValue: (value: T) => void;
}

/** Loads at once, after each login and reconnection, and every `pollMs` while the page is in use. */
export const useControllerResource = <T>(
  path: string | null,
  pollMs: number | null = null,
): LoadedControllerResource<T> => {
  const refreshCount = useObservableValue(controllerSession.refreshCount);
  const { status } = useObservableValue(controllerSession.loginState);
  const [state, setState] = useState<{ value: T | null; error: TechnicianApiError | null; loadedAt: number }>({
    value: null,
    error: null,
    loadedAt: 0,
  });
  const lastRequest = useRef(0);
  const setValue = useCallback((value: T) => {
    lastRequest.current += 1;
    setState({ value, error: null, loadedAt: performance.now() });
  }, []);
  const reload = useCallback(async () => {
    if (path === null) return;
    lastRequest.current += 1;
    const request = lastRequest.current;
    const result = await controllerSession.request<T>({ method: 'GET', path });
    if (request !== lastRequest.current) return;
    if (result.ok) setState({ value: result.value, error: null, loadedAt: performance.now() });
    else setState(before => ({ ...before, error: result.error }));
  }, [path]);
  useEffect(() => {
    if (status !== 'logged_in') return;
    void reload();
    if (pollMs === null) return;
    const timer = setInterval(() => {
      if (userActivity.isActive) void reload();
    }, pollMs);
    return () => clearInterval(timer);
  }, [reload, pollMs, refreshCount, status]);
  return { ...state, reload, setValue };
};

export const useLiveMessages = (listener: (event: TechnicianLiveMessage) => void): void => {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => controllerSession.subscribe(event => latest.current(event)), []);
};
