import type { Log } from '@lintel/service/log';
import { processTimers } from '@lintel/service/timing/timers';
import { quietMoment } from '@lintel/updates/quiet-moment';
import type { UpdateClock } from '@lintel/updates/update-clock';
import type { UpdatedProgram } from '@lintel/updates/updated-program';
import type { RunningGateway } from '../main.ts';
import { PortCheck } from './port-check.ts';

/** Longer than anybody waits at a door for an answer through the gateway. */
const QUIET_MS = 3000;
/** A site that is busy all the time is updated all the same: controllers go on by themselves for the second that it takes. */
const LONGEST_WAIT_MS = 300_000;

/** Comes and goes with the clock of the machine, whatever program runs. */
const isOuter = (code: string): boolean => code === 'clock';

/** A certificate is only there once it is claimed: before that, whoever knocks with TLS is turned away. */
const knockedAt = (gateway: RunningGateway): string[] =>
  Object.values(gateway.addresses()).map(address =>
    gateway.deviceId() === null ? address.replace(/^mqtts:/, 'mqtt:') : address,
  );

const monotonicClock: UpdateClock = { ...processTimers, now: () => performance.now() };

/** A gateway as something that makes way for another version of itself. */
export const updatedGateway = (gateway: RunningGateway, log: Log, clock = monotonicClock): UpdatedProgram => {
  const ports = new PortCheck({ addresses: () => knockedAt(gateway), monotonic: () => clock.now() });
  const { requests } = gateway;
  const work = {
    clock,
    isResting: () => requests.isResting,
    listen: (happened: () => void) => requests.listen(happened),
  };
  return {
    clock,
    quietMs: QUIET_MS,
    quiet: terms => quietMoment(work, { ...terms, withinMs: Math.min(terms.withinMs, LONGEST_WAIT_MS) }),
    way: () => {
      const membership = gateway.membership();
      if (membership === null) return null;
      const { bridge_url, ca_fingerprint, ca_certificate } = membership;
      const trust = { fingerprint: ca_fingerprint, authority: ca_certificate, bySystem: true };
      return { bridgeUrl: bridge_url, terms: { trust, now: gateway.now() } };
    },
    health: () => {
      const { upstream, faults } = gateway.status();
      const { isOpen, isLate } = ports.state;
      const codes = faults.map(({ code }) => code).filter(code => !isOuter(code));
      return { isServing: isOpen, isWell: !isLate, online: upstream.connected, faults: codes };
    },
    note: (what, words) => log(what === 'updated' ? 'info' : 'error', what, { version: words }),
  };
};
