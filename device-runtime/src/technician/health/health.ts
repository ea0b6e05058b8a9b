import type { Instant } from '@lintel/access-core/instant';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import type { HealthCheck, TechnicianHealth } from '@lintel/wire-protocol/technician/health';
import type { SupportBundle, TechnicianStatus } from '@lintel/wire-protocol/technician/status';
import { UNCONFIGURED } from '../../profile/chosen-profile.ts';
import type { PartFault } from '@lintel/drivers/ports/part-fault';
import type { ReaderSignal } from '@lintel/drivers/ports/reader-signal';
import { adviceFor } from './health-advice.ts';
import { signalVerdict } from './health-signal.ts';
import { check, fail, ok, unknown, type Verdict, warn } from './health-verdict.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SLICE_OLD_MS = 7 * DAY_MS;
const MEGABYTE = 1024 * 1024;
const LEAST_FREE = 200 * MEGABYTE;
const GIGABYTE = 1024 * MEGABYTE;
const LITTLE_FREE = GIGABYTE;
const MANY_EVENTS = 1_000;
const LOW_BATTERY = 20;

/** What the checks go by. */
export interface HealthFacts {
  readonly now: Instant;
  readonly status: TechnicianStatus;
  readonly throughGateway: boolean;
  readonly clockChanges: SupportBundle['clock_history'];
  /** By station; null for a reader that does not tell. */
  readonly readerSignals: ReadonlyMap<string, ReaderSignal | null>;
  /** By code; of faults of parts at the door only. */
  readonly faultKinds: ReadonlyMap<string, PartFault['kind']>;
}

const duration = (ms: number): string => {
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / 60_000)} minutes`;
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} hours` : `${Math.round(ms / DAY_MS)} days`;
};

const size = (bytes: number): string =>
  bytes < 10 * GIGABYTE ? `${Math.round(bytes / MEGABYTE)} MB` : `${Math.round(bytes / GIGABYTE)} GB`;

const line = ({ status: { claimed, upstream } }: HealthFacts): Verdict => {
  if (!claimed) return unknown('not claimed yet, so there is no bridge to reach');
  if (upstream.online) return ok(`connected through ${upstream.via}`);
  const since = upstream.since === null ? '' : ` since ${upstream.since}`;
  if (upstream.connected)
    return fail(
      `the gateway has no line to the bridge${since}`,
      'Check the internet line of the site. The door works meanwhile.',
    );
  return fail(
    `no connection${since}`,
    'Check the network cable, then that the router gives an address and lets port 8883 out. The door works meanwhile.',
  );
};

const gateway = ({ status: { claimed, upstream }, throughGateway }: HealthFacts): Verdict => {
  if (!claimed || upstream.via === null) return unknown('not connected');
  if (!throughGateway) return ok('none in between: connected to the bridge itself');
  return upstream.online
    ? ok(`connected to the gateway ${upstream.via}`)
    : warn(
        `the gateway ${upstream.via} is there, its line to the bridge is not`,
        'Look at the gateway’s own status page.',
      );
};

const sources: Readonly<Record<string, string>> = {
  bridge: 'told by the bridge',
  ntp: 'from a time server',
  rtc: 'from the clock with a battery',
  floor: 'only the last time that was seen before the power went',
};

const clock = ({ status, clockChanges }: HealthFacts): Verdict => {
  const { time, trusted, source } = status.clock;
  const step = clockChanges.findLast(({ stepped_ms }) => stepped_ms !== 0);
  const corrected = step === undefined ? '' : `, last corrected by ${Math.round(step.stepped_ms / 1_000)} s`;
  const found = `${time}, ${sources[source] ?? source}${corrected}`;
  if (trusted) return ok(found);
  return warn(
    `${found}: not trusted, so permissions with a time limit may be refused`,
    'Bring the line to the bridge up, or let UDP port 123 out for a time server, or fit a clock with a battery.',
  );
};

const snapshot = ({ status: { claimed, slice: held } }: HealthFacts): Verdict => {
  if (!claimed) return unknown('not claimed yet');
  if (held === null)
    return fail('nothing has come from the desk yet: nobody can open', 'Wait until the line to the bridge is up.');
  const found = `revision ${held.revision}`;
  if (held.age_ms === null) return unknown(`${found}, never confirmed in this run`);
  const age = `${found}, confirmed ${duration(held.age_ms)} ago`;
  if (held.age_ms > SLICE_OLD_MS) return fail(age, adviceFor('slice_old', null));
  return held.age_ms > DAY_MS
    ? warn(age, 'Bring the line to the bridge up: changes at the desk do not arrive.')
    : ok(age);
};

const disk = ({ status }: HealthFacts): Verdict => {
  if (status.disk === null) return unknown('how much room is left is not known');
  const { free_bytes, total_bytes } = status.disk;
  const found = `${size(free_bytes)} of ${size(total_bytes)} left`;
  const advice = 'Make room (sudo apt clean, sudo journalctl --vacuum-size=50M), or take a larger card.';
  if (free_bytes < LEAST_FREE) return fail(found, advice);
  return free_bytes < LITTLE_FREE ? warn(found, advice) : ok(found);
};

const events = ({ status: { waiting_events: waiting, claimed, upstream } }: HealthFacts): Verdict => {
  const found = waiting === 0 ? 'none waits' : `${waiting} wait to be sent`;
  if (!claimed || waiting < MANY_EVENTS) return ok(found);
  const advice = upstream.online
    ? 'They are on their way; look again in a minute.'
    : 'They are safe on the disk, and go out when the line is up.';
  return warn(found, advice);
};

const supply = ({ status: { power } }: HealthFacts): Verdict => {
  const { mains_present, battery_present, battery_charging, battery_percent } = power;
  if (mains_present === null && battery_present === null) return unknown('no line of the board tells of the supply');
  const battery =
    battery_present === true
      ? `battery${battery_percent === null ? '' : ` at ${battery_percent} %`}${battery_charging === true ? ', charging' : ''}`
      : battery_present === false
        ? 'no battery'
        : 'battery not known';
  if (mains_present === false)
    return fail(`runs on its battery (${battery})`, 'Check the fuse and the plug of the power supply.');
  const found = `mains, ${battery}`;
  return battery_percent !== null && battery_percent < LOW_BATTERY
    ? warn(found, 'Let it charge; a battery that stays low is worn out.')
    : ok(found);
};

const rules = ({ status: { rules: state } }: HealthFacts): Verdict => {
  if (state.conflict)
    return warn(
      'an edit made here met another one at the desk',
      'Open the input rules and choose which of the two holds.',
    );
  return state.pending ? ok('an edit made here is not yet in the cloud') : ok('as at the desk');
};

/** Nothing else is wrong with a board of which nobody has said yet what hangs on it. */
const profileChecks = ({ status: { product_id } }: HealthFacts): HealthCheck[] =>
  product_id === UNCONFIGURED
    ? [
        check(
          'profile',
          'Product',
          fail('none chosen yet', 'Choose on this page which product it is: the door cannot work before.'),
        ),
      ]
    : [];

const isOf = (part: string, code: string): boolean => code === part || code.startsWith(`${part}:`);

/** Each keypad and each reader, and then whatever else is wrong. */
const partChecks = ({ status: { stations, faults }, faultKinds }: HealthFacts): HealthCheck[] => {
  const adviceOn = (code: string): string => adviceFor(code, faultKinds.get(code) ?? null);
  const fitted = stations.flatMap(({ id, keypad, reader }) => [
    ...(keypad ? [{ part: `keypad:${id}`, title: `Keypad ${id}` }] : []),
    ...(reader ? [{ part: `reader:${id}`, title: `Reader ${id}` }] : []),
  ]);
  const ofParts = fitted.map(({ part, title }) => {
    const fault = faults.find(({ code }) => isOf(part, code));
    return check(part, title, fault === undefined ? ok('answers') : fail(fault.message, adviceOn(fault.code)));
  });
  const others = faults.filter(({ code }) => !fitted.some(({ part }) => isOf(part, code)));
  const told = others.map(({ code, message, since }) =>
    check(`fault:${code}`, 'Fault', fail(`${message}, since ${since}`, adviceOn(code))),
  );
  return [...ofParts, ...told];
};

/** How well each reader is heard. What was heard of one that is away now says nothing of today. */
const signalChecks = ({ status: { stations, faults }, readerSignals }: HealthFacts): HealthCheck[] =>
  stations
    .filter(({ reader }) => reader)
    .map(({ id }) => {
      const verdict = signalVerdict(readerSignals.get(id) ?? null);
      const isFaulty = faults.some(({ code }) => isOf(`reader:${id}`, code));
      const told =
        isFaulty && verdict.state === 'ok' ? unknown('the reader does not work: see its own check') : verdict;
      return check(`signal:${id}`, `Signal of reader ${id}`, told);
    });

const badness: readonly HealthCheck['state'][] = ['ok', 'unknown', 'warn', 'fail'];

/** How the controller is, and what to do about it. */
export const healthOf = (facts: HealthFacts): TechnicianHealth => {
  const checks = [
    ...profileChecks(facts),
    check('line', 'Line to the bridge', line(facts)),
    check('gateway', 'Gateway', gateway(facts)),
    check('clock', 'Clock', clock(facts)),
    check('slice', 'Members and permissions', snapshot(facts)),
    check('events', 'Events', events(facts)),
    check('rules', 'Input rules', rules(facts)),
    check('supply', 'Power', supply(facts)),
    check('disk', 'Disk', disk(facts)),
    ...partChecks(facts),
    ...signalChecks(facts),
  ];
  const worst = Math.max(...checks.map(({ state }) => badness.indexOf(state)));
  return { at: dateTimeOf(facts.now), state: badness[worst]!, checks };
};
