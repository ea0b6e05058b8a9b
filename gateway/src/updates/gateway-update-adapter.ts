import type { Log } from '@lintel/service/log-function-type';
import { processTimers } from '@lintel/service/timing/timers';
import { waitUntilIdle } from '@lintel/updates/wait-until-idle';
import type { UpdateClock } from '@lintel/updates/update-clock-interface';
import type { UpdatableProgram } from '@lintel/updates/updatable-program-interface';
import type { RunningGateway } from '../main.ts';
import { GatewayPortCheck } from './own-ports-reachable-check.ts';

/** Longer than a person waits at a door for a response through the gateway. */
const QUIET_MS = 3000;
/** A site that is never idle is updated after this time. Controllers work without the gateway during the restart. */
const MAX_WAIT_MS = 300_000;

/** Faults that do not depend on the version of the program. */
const isExternal = (code: string): boolean => code === 'clock' || code === 'unclaimed';

/** Without TLS before the claim, because the gateway has no certificate yet. */
const healthCheckAddresses = (gateway: RunningGateway): string[] =>
  Object.values(gateway.addresses()).map(address =>
    gateway.deviceId() === null ? address.replace(/^mqtts:/, 'mqtt:') : address,
  );

const monotonicClock: UpdateClock = { ...processTimers, now: () => performance.now() };

/** The gateway as a program that can be updated. */
export const createGatewayUpdateAdapter = (
  gateway: RunningGateway,
  log: Log,
  clock = monotonicClock,
): UpdatableProgram => {
  const ports = new GatewayPortCheck({ addresses: () => healthCheckAddresses(gateway), monotonic: () => clock.now() });
  const { requests } = gateway;
  const activity = {
    clock,
    isIdle: () => requests.isIdle,
    onActivity: (listener: () => void) => requests.onActivity(listener),
  };
  return {
    clock,
    quietMs: QUIET_MS,
    waitUntilIdle: options =>
      waitUntilIdle(activity, { ...options, withinMs: Math.min(options.withinMs, MAX_WAIT_MS) }),
    bridgeAccess: () => {
      const enrollment = gateway.enrollment();
      if (enrollment === null) return null;
      const { bridge_url, ca_fingerprint, ca_certificate } = enrollment;
      const trust = { fingerprint: ca_fingerprint, authority: ca_certificate, bySystem: true };
      return { bridgeUrl: bridge_url, httpOptions: { trust, now: gateway.now() } };
    },
    health: () => {
      const { upstream, faults } = gateway.status();
      const { isOpen, isSlow } = ports.state;
      const codes = faults.map(({ code }) => code).filter(code => !isExternal(code));
      return { isServing: isOpen, isResponsive: !isSlow, online: upstream.connected, faults: codes };
    },
    recordEvent: (kind, text) => log(kind === 'updated' ? 'info' : 'error', kind, { version: text }),
  };
};
