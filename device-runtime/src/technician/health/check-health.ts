import { DAY_MS, HOUR_MS } from '@lintel/access-core/durations';
import type { Instant } from '@lintel/access-core/instant';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { HealthCheck, TechnicianHealthResponse } from '@lintel/wire-protocol/technician/health';
import type {
  SupportBundle,
  TechnicianStatusResponse,
} from '@lintel/wire-protocol/technician/status-and-support-bundle';
import { UNCONFIGURED_PRODUCT_ID } from '../../profile/selected-profile.ts';
import type { PartFault, ReaderSignalQuality } from '@lintel/drivers/interfaces';
import { describeFaultAdvice } from './fault-advice.ts';
import { checkReaderSignal } from './reader-signal-quality-check.ts';
import {
  toHealthCheck,
  createFailedHealthResult,
  createOkHealthResult,
  createUnknownHealthResult,
  type HealthCheckResult,
  createWarningHealthResult,
} from './health-check-result.ts';

const SLICE_OLD_MS = 7 * DAY_MS;
const MEGABYTE = 1024 * 1024;
const LEAST_FREE = 200 * MEGABYTE;
const GIGABYTE = 1024 * MEGABYTE;
const LITTLE_FREE = GIGABYTE;
const MANY_EVENTS = 1_000;
const LOW_BATTERY = 20;

/** Input of the health checks. */
export interface HealthCheckInputs {
  readonly now: Instant;
  readonly status: TechnicianStatusResponse;
  readonly throughGateway: boolean;
  readonly clockChanges: SupportBundle['clock_history'];
  /** By station; null for a reader without signal data. */
  readonly readerSignals: ReadonlyMap<string, ReaderSignalQuality | null>;
  /** By fault code, for faults of parts only. */
  readonly faultKinds: ReadonlyMap<string, PartFault['kind']>;
}

const duration = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  if (ms < 2 * HOUR_MS) return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} hours` : `${Math.round(ms / DAY_MS)} days`;
};

const correction = (ms: number): string =>
  Math.abs(ms) < 120_000 ? `${Math.round(ms / 1_000)} s` : duration(Math.abs(ms));

const size = (bytes: number): string =>
  bytes < 10 * GIGABYTE ? `${Math.round(bytes / MEGABYTE)} MB` : `${Math.round(bytes / GIGABYTE)} GB`;

/** Empty for a time before the start, which a clock without a battery showed until it was set. */
const sinceText = ({ clock, uptime_ms }: TechnicianStatusResponse, since: string | null): string =>
  since === null || Date.parse(since) < Date.parse(clock.time) - uptime_ms - HOUR_MS ? '' : ` since ${since}`;

const checkLink = ({ status }: HealthCheckInputs): HealthCheckResult => {
  const { claimed, upstream, faults } = status;
  if (!claimed) return createUnknownHealthResult('Not claimed yet, so there is no bridge to connect to');
  if (upstream.online) return createOkHealthResult(`Connected to ${upstream.via}`);
  const replaced = faults.find(({ code }) => code === 'replaced');
  if (replaced !== undefined)
    return createFailedHealthResult(
      `The bridge refuses this controller. ${replaced.message}`,
      describeFaultAdvice(replaced.code, null),
    );
  const since = sinceText(status, upstream.since);
  if (upstream.connected)
    return createFailedHealthResult(
      `The gateway has no connection to the bridge${since}`,
      'Check the internet connection of the site. Doors keep working.',
    );
  return createFailedHealthResult(
    `No connection${since}`,
    'Check the network cable, then that the router assigns an address and allows outgoing port 8883. Doors keep working.',
  );
};

const checkGateway = ({ status: { claimed, upstream }, throughGateway }: HealthCheckInputs): HealthCheckResult => {
  if (!claimed || upstream.via === null) return createUnknownHealthResult('Not connected');
  if (!throughGateway) return createOkHealthResult('No gateway: connected to the bridge directly');
  return upstream.online
    ? createOkHealthResult(`Connected to the gateway ${upstream.via}`)
    : createWarningHealthResult(
        `The gateway ${upstream.via} has no connection to the bridge`,
        'See the status page of the gateway.',
      );
};

const sources: Readonly<Record<string, string>> = {
  bridge: 'set by the bridge',
  ntp: 'from a time server',
  rtc: 'from the battery-backed clock',
  floor: 'the last known time before the power loss',
};

const checkClock = ({ status, clockChanges }: HealthCheckInputs): HealthCheckResult => {
  const { time, trusted, source } = status.clock;
  // The first time that a clock without a battery gets is no correction.
  const step = clockChanges.findLast(
    ({ stepped_ms }, at) => stepped_ms !== 0 && clockChanges[at - 1]?.trusted === true,
  );
  const corrected = step === undefined ? '' : `, last corrected by ${correction(step.stepped_ms)}`;
  const found = `${time}, ${sources[source] ?? source}${corrected}`;
  if (trusted) return createOkHealthResult(found);
  return createWarningHealthResult(
    `${found}: not trusted, so time-limited permissions may be denied`,
    'Restore the connection to the bridge, or allow outgoing UDP port 123 for a time server, or fit a battery-backed clock.',
  );
};

const checkSnapshot = ({ status: { claimed, slice: held } }: HealthCheckInputs): HealthCheckResult => {
  if (!claimed) return createUnknownHealthResult('Not claimed yet');
  if (held === null)
    return createFailedHealthResult(
      'No access data received yet, so all access is denied',
      'Wait until the controller is connected to the bridge.',
    );
  const found = `Revision ${held.revision}`;
  if (held.age_ms === null) return createUnknownHealthResult(`${found}, not confirmed since the start`);
  const age = `${found}, confirmed ${duration(held.age_ms)} ago`;
  if (held.age_ms > SLICE_OLD_MS) return createFailedHealthResult(age, describeFaultAdvice('slice_old', null));
  return held.age_ms > DAY_MS
    ? createWarningHealthResult(age, 'Restore the connection to the bridge. Changes do not arrive.')
    : createOkHealthResult(age);
};

const checkDisk = ({ status }: HealthCheckInputs): HealthCheckResult => {
  if (status.disk === null) return createUnknownHealthResult('Free space is unknown');
  const { free_bytes, total_bytes } = status.disk;
  const found = `${size(free_bytes)} of ${size(total_bytes)} free`;
  const advice = 'Free up space (sudo apt clean, sudo journalctl --vacuum-size=50M), or use a larger SD card.';
  if (free_bytes < LEAST_FREE) return createFailedHealthResult(found, advice);
  return free_bytes < LITTLE_FREE ? createWarningHealthResult(found, advice) : createOkHealthResult(found);
};

const checkEvents = ({
  status: { waiting_events: waiting, claimed, upstream },
}: HealthCheckInputs): HealthCheckResult => {
  const found = waiting === 0 ? 'No events waiting' : `${waiting} waiting to be sent`;
  if (!claimed || waiting < MANY_EVENTS) return createOkHealthResult(found);
  const advice = upstream.online
    ? 'They are being sent. Check again in a minute.'
    : 'They are saved and are sent when the controller is online.';
  return createWarningHealthResult(found, advice);
};

const checkPower = ({ status: { power } }: HealthCheckInputs): HealthCheckResult => {
  const { mains_present, battery_present, battery_charging, battery_percent } = power;
  if (mains_present === null && battery_present === null)
    return createUnknownHealthResult('The board does not report its power supply');
  const battery =
    battery_present === true
      ? `battery${battery_percent === null ? '' : ` at ${battery_percent} %`}${battery_charging === true ? ', charging' : ''}`
      : battery_present === false
        ? 'no battery'
        : 'battery unknown';
  if (mains_present === false)
    return createFailedHealthResult(`Runs on battery (${battery})`, 'Check the fuse and the plug of the power supply.');
  const found = `Mains, ${battery}`;
  return battery_percent !== null && battery_percent < LOW_BATTERY
    ? createWarningHealthResult(found, 'Let it charge. Replace a battery that stays low.')
    : createOkHealthResult(found);
};

const checkKeyStorage = ({ status }: HealthCheckInputs): HealthCheckResult =>
  status.digest_key_kept_in === 'hardware'
    ? createOkHealthResult('Stored in hardware')
    : createWarningHealthResult(
        'Stored in a file, so a stolen SD card reveals the PINs',
        'Use a board with a TPM, a secure element or key fuses. Otherwise keep the controller in a locked place, and change the PINs after a theft.',
      );

const checkRules = ({ status: { rules: state } }: HealthCheckInputs): HealthCheckResult => {
  if (state.conflict)
    return createWarningHealthResult(
      'A local edit conflicts with an edit at the bridge',
      'Open the input rules and choose one of the two.',
    );
  return state.pending
    ? createOkHealthResult('A local edit is not uploaded yet')
    : createOkHealthResult('Same as at the bridge');
};

/** A board without a profile has no other checks for parts. */
const checkProfile = ({ status: { product_id } }: HealthCheckInputs): HealthCheck[] =>
  product_id === UNCONFIGURED_PRODUCT_ID
    ? [
        toHealthCheck(
          'profile',
          'Product',
          createFailedHealthResult('Not chosen yet', 'Choose the product on this page. The door does not work before.'),
        ),
      ]
    : [];

const isOf = (part: string, code: string): boolean => code === part || code.startsWith(`${part}:`);

/** Checks of keypads and readers, then all other faults. */
const checkParts = ({ status, faultKinds }: HealthCheckInputs): HealthCheck[] => {
  const { stations, faults } = status;
  const adviceOn = (code: string): string => describeFaultAdvice(code, faultKinds.get(code) ?? null);
  const fitted = stations.flatMap(({ id, keypad, reader }) => [
    ...(keypad ? [{ part: `keypad:${id}`, title: `Keypad ${id}` }] : []),
    ...(reader ? [{ part: `reader:${id}`, title: `Reader ${id}` }] : []),
  ]);
  const ofParts = fitted.map(({ part, title }) => {
    const fault = faults.find(({ code }) => isOf(part, code));
    return toHealthCheck(
      part,
      title,
      fault === undefined
        ? createOkHealthResult('Responds')
        : createFailedHealthResult(fault.message, adviceOn(fault.code)),
    );
  });
  const others = faults.filter(({ code }) => !fitted.some(({ part }) => isOf(part, code)));
  const otherChecks = others.map(({ code, message, since }) =>
    toHealthCheck(
      `fault:${code}`,
      'Fault',
      createFailedHealthResult([message, sinceText(status, since).trim()].filter(Boolean).join(', '), adviceOn(code)),
    ),
  );
  return [...ofParts, ...otherChecks];
};

/** Earlier readings of a missing reader do not count. */
const checkReaderSignals = ({ status: { stations, faults }, readerSignals }: HealthCheckInputs): HealthCheck[] =>
  stations
    .filter(({ reader }) => reader)
    .map(({ id }) => {
      const rating = checkReaderSignal(readerSignals.get(id) ?? null);
      const isFaulty = faults.some(({ code }) => isOf(`reader:${id}`, code));
      const result =
        isFaulty && rating.state === 'ok'
          ? createUnknownHealthResult('The reader does not work, see its own check')
          : rating;
      return toHealthCheck(`signal:${id}`, `Signal of reader ${id}`, result);
    });

const statesBySeverity: readonly HealthCheck['state'][] = ['ok', 'unknown', 'warn', 'fail'];

/** Runs all health checks, with advice for each problem. */
export const checkHealth = (facts: HealthCheckInputs): TechnicianHealthResponse => {
  const checks = [
    ...checkProfile(facts),
    toHealthCheck('line', 'Connection to the bridge', checkLink(facts)),
    toHealthCheck('gateway', 'Gateway', checkGateway(facts)),
    toHealthCheck('clock', 'Clock', checkClock(facts)),
    toHealthCheck('slice', 'Members and permissions', checkSnapshot(facts)),
    toHealthCheck('events', 'Events', checkEvents(facts)),
    toHealthCheck('rules', 'Input rules', checkRules(facts)),
    toHealthCheck('supply', 'Power', checkPower(facts)),
    toHealthCheck('disk', 'Disk', checkDisk(facts)),
    toHealthCheck('pin_key', 'PIN hash key', checkKeyStorage(facts)),
    ...checkParts(facts),
    ...checkReaderSignals(facts),
  ];
  const worst = Math.max(...checks.map(({ state }) => statesBySeverity.indexOf(state)));
  return { at: toDateTime(facts.now), state: statesBySeverity[worst]!, checks };
};
