import { repeatEvery } from '../timing/repeating-timer.ts';
import type { Watchdog } from './watchdog-interface.ts';

/** Reports ready, then sends heartbeats while the process is healthy. The returned function reports stopping and ends them. */
export const startWatchdogHeartbeat = (watchdog: Watchdog, isHealthy: () => boolean = () => true): (() => void) => {
  watchdog.ready();
  const { interval_ms } = watchdog;
  // A stuck event loop sends no heartbeat, and systemd restarts the process.
  const stop = interval_ms === null ? null : repeatEvery(interval_ms, () => isHealthy() && watchdog.alive());
  return () => {
    stop?.();
    watchdog.stopping();
  };
};
