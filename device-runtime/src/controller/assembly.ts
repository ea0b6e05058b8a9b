import { defaultKeyEntryTimes, type KeyEntryTimes } from '@lintel/access-core/key-entry-model';
import { type Monotonic, monotonic } from '@lintel/access-core/monotonic';
import type { UntrustedTimePolicy } from '@lintel/access-core/permission/decision';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { EventStore } from '../events/event-store.ts';
import type { InputLines } from '@lintel/drivers/ports/input-lines';
import type { Log } from '@lintel/service/log';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { OutputLines } from '@lintel/drivers/ports/output-lines';
import type { PeerGadgets } from '../gadgets/peer-gadgets.ts';
import type { FaultListener } from '@lintel/drivers/ports/part-fault';
import type { SnapshotStore } from '../snapshot/snapshot-store-port.ts';
import type { StateStore } from '../state/state-store.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import { PostDecisionTasks } from './post-decision-tasks.ts';
import { Commissioning } from '../commissioning/commissioning.ts';
import { CredentialDigests } from '../credentials/credential-digests.ts';
import { CredentialTests } from '../credential-tests/credential-tests.ts';
import type { DoorModes } from '../gadgets/doors.ts';
import { DoorLoop } from '../reader-units/door-loop.ts';
import { EventQueues } from '../events/event-queues.ts';
import { EventLog } from '../events/event-log.ts';
import { type Fault, ControllerFaults } from '../faults/fault-registry.ts';
import { GadgetBoard } from '../gadgets/gadget-board.ts';
import type { FeedbackKind } from '@lintel/drivers/ports/feedback';
import { Indicator } from '../gadgets/indicator.ts';
import { AccessChecker } from '../access/access-checker.ts';
import { LiveFeed } from '../live/live-feed.ts';
import { NextTap } from '../reader-units/next-tap.ts';
import { Ownership } from '../state/ownership.ts';
import { ActionExecutor } from '../actions/action-executor.ts';
import { RevocationLog } from '../credentials/revocation-log.ts';
import { createDeviceRules } from './device-rules.ts';
import { ScheduleRunner } from '../actions/schedule-runner.ts';
import { SequenceNumbers } from '../events/sequence-numbers.ts';
import { ActiveSnapshot } from '../snapshot/active-snapshot.ts';
import { SnapshotAge } from '../snapshot/snapshot-age.ts';
import { ReaderUnit, type ReaderUnitInput } from '../reader-units/reader-unit.ts';
import type { Tap } from '../credentials/tap.ts';
import { RetryingStateStore } from '../state/retrying-state-store.ts';
import { TriggerRunner } from '../actions/trigger-runner.ts';
import type { Turn } from './turn.ts';
import { reportSnapshotAge, reportTamper, reportClockFaults } from './watched-faults.ts';
import type { Wiring } from '@lintel/drivers/ports/wiring';

export interface ControllerParts {
  readonly wiring: Wiring;
  readonly outputs: OutputLines;
  readonly inputs: InputLines;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  readonly events: EventStore;
  readonly snapshotStore: SnapshotStore;
  readonly state: StateStore;
  readonly peers: PeerGadgets;
  readonly digestKey: Uint8Array;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly log: Log;
  readonly times?: KeyEntryTimes;
  readonly untrustedTime?: UntrustedTimePolicy;
  /** Without a word of the bridge for longer, nobody is let in; null: never. */
  readonly snapshotRefusedAfterMs?: number | null;
  readonly recorded?: (event: DeviceEvent) => void;
  /** What was wrong before the controller was there to tell it. */
  readonly faultsAtStart?: readonly Pick<Fault, 'code' | 'message'>[];
}

const LONGEST_FAULT = 200;

const readModes = (state: StateStore): DoorModes => {
  const saved = state.read('door_modes');
  const entries = typeof saved === 'object' && saved !== null ? Object.entries(saved) : [];
  return Object.fromEntries(entries.filter(([, mode]) => mode === 'unlocked' || mode === 'normal'));
};

const readLockouts = (state: StateStore): Readonly<Record<string, unknown>> => {
  const saved = state.read('lockouts');
  return typeof saved === 'object' && saved !== null ? { ...saved } : {};
};

const earliest = (deadlines: readonly (Monotonic | null)[]): Monotonic | null => {
  const set = deadlines.filter(at => at !== null);
  return set.length === 0 ? null : monotonic(Math.min(...set));
};

export type Assembly = ReturnType<typeof assemble>;

/** Puts the parts of a controller together. `turn` runs a piece of work as one input of its own. */
export const assemble = (parts: ControllerParts, turn: Turn) => {
  const { clock, wall, wiring, inputs, peers } = parts;
  const live = new LiveFeed();
  const outputs = live.watching(parts.outputs);
  const times = parts.times ?? defaultKeyEntryTimes;
  const served = { snapshot: new ActiveSnapshot() };
  const snapshot = (): ActiveSnapshot => served.snapshot;

  const logFault = ({ code, message }: Fault): void => parts.log('error', message, { fault: code });
  const recordFault = ({ code, message }: Fault): void =>
    void log.record({ kind: 'fault', fault: `${code}: ${message}`.slice(0, LONGEST_FAULT) });
  const faults: ControllerFaults = new ControllerFaults(() => wall.now(), {
    begun: fault => {
      logFault(fault);
      recordFault(fault);
    },
    changed: fault => {
      logFault(fault);
      // Whoever takes a reader off its line, opens it and puts it back does not get away with one that was away.
      if (fault.kind === 'tampered') recordFault(fault);
    },
    over: ({ code, message }) => parts.log('info', `over: ${message}`, { fault: code }),
  });
  const state = new RetryingStateStore(parts.state, faults);
  const lanes = new EventQueues(parts.events, {
    inMemory: () => log.inMemory(),
    confirmed: ids => log.confirmed(ids),
  });
  const log: EventLog = new EventLog({
    store: parts.events,
    numbers: new SequenceNumbers(state, parts.events.lastSequence()),
    clock: wall,
    faults,
    log: parts.log,
    randomBytes: parts.randomBytes,
    recorded: event => {
      live.event(event);
      parts.recorded?.(event);
    },
    salvaged: () => lanes.restart(),
  });

  const digests = new CredentialDigests(parts.digestKey);
  const revocations = new RevocationLog(state);
  const ownership = new Ownership(state);
  const untrustedTime = parts.untrustedTime ?? 'refuse';
  const snapshotAge = new SnapshotAge({ state, wall, refuseAfterMs: parts.snapshotRefusedAfterMs ?? null });
  const isSnapshotValid = (): boolean => snapshotAge.isOfUse;
  /** So that the timer is set to what is due next. */
  const rearm = (): void => void turn(() => undefined);
  const { randomBytes } = parts;
  const commissioning = new Commissioning({ snapshot, digests, clock, state, log, randomBytes, changed: rearm });
  const checker = new AccessChecker({
    snapshot,
    digests,
    revocations,
    commissioning,
    clock: wall,
    untrustedTime,
    isSnapshotValid,
  });

  const rules = createDeviceRules({
    snapshot,
    snapshotStore: parts.snapshotStore,
    state,
    clock,
    wall,
    log,
    live,
    randomBytes,
    rearm,
  });
  const { localRules } = rules;
  const credentialTests = new CredentialTests({
    checker,
    rules: () => localRules.compiled,
    live,
    log,
    clock,
    state,
    times,
  });

  const now = clock.now();
  const lockouts = readLockouts(state);
  const places = wiring.stations.map(place => ({
    ...place,
    unit: new ReaderUnit(place.id, checker, () => localRules.compiled, times, lockouts[place.id], now),
    lights: new Indicator(place.indicator, now, wiring.feedback),
  }));
  const show = (id: string, kind: FeedbackKind): void => {
    live.feedback(id, kind);
    for (const { lights } of places.filter(place => place.id === id))
      for (const effect of lights.show(kind, clock.now())) board.executeOne('', effect);
  };

  const report: PostDecisionTasks['note'] = one => postDecision.note(one);
  const board: GadgetBoard = new GadgetBoard({
    wiring,
    outputs,
    inputs,
    faults,
    keptModes: readModes(state),
    report,
    show,
  });
  const executor = new ActionExecutor(board, log);
  const triggers = new TriggerRunner({ snapshot, executor, peers, log, clock, wall, turn });
  const postDecision: PostDecisionTasks = new PostDecisionTasks({
    snapshot,
    log,
    clock,
    wall,
    happened: one => triggers.happened(one),
  });
  const schedules = new ScheduleRunner(snapshot, wall, state);
  const commissioned = (): void => commissioning.used();
  const loop = new DoorLoop({
    snapshot,
    checker,
    log,
    executor,
    triggers,
    peers,
    clock,
    wall,
    show,
    commissioned,
    turn,
  });

  const faultsOf =
    (what: string): FaultListener =>
    (fault, part) => {
      const code = part === undefined ? what : `${what}:${part}`;
      turn(() => (fault === null ? faults.clear(code) : faults.raise(code, fault.message, fault.kind)));
    };

  const nextTap = new NextTap(clock, station => live.awaitingCard(station));
  const setupButtonListeners = new Set<() => void>();
  const lineChanged = (input: string, level: ReturnType<InputLines['level']>): void => {
    live.input(input, level);
    if (input === wiring.setup_button && level === 'active') for (const pressed of setupButtonListeners) pressed();
    if (input !== wiring.tamper) board.lineChanged(input, level, clock.now());
    else reportTamper(faults, inputs, input, level);
  };

  const take = (unit: ReaderUnit, input: ReaderUnitInput): void => {
    if (input.type === 'key') live.key(unit.id, input.key);
    if (input.type === 'card' && input.card.kind === 'card') live.card(unit.id, input.card.uid);
    if (input.type === 'card' && nextTap.catches(unit.id, input.card)) return show(unit.id, 'rule_armed');
    try {
      loop.take(unit, input);
    } catch (error) {
      show(unit.id, 'refused');
      throw error;
    } finally {
      live.entry(unit.id, unit.entry);
    }
  };

  return {
    clock,
    wall,
    wiring,
    inputs,
    live,
    nextTap,
    rules,
    localRules,
    commissioning,
    credentialTests,
    state,
    faults,
    log,
    lanes,
    digests,
    revocations,
    ownership,
    snapshotAge,
    checker,
    served,
    board,
    executor,
    triggers,
    postDecision,
    schedules,
    readerUnits: places.map(({ unit }) => unit),

    show,

    onSetupButton: (listener: () => void): (() => void) => {
      setupButtonListeners.add(listener);
      return () => void setupButtonListeners.delete(listener);
    },

    listen: (): void => {
      localRules.begin();
      commissioning.begin();
      for (const { id, keypad, reader, unit } of places) {
        keypad?.onKey(key => void turn(() => take(unit, { type: 'key', key })));
        keypad?.onFault(faultsOf(`keypad:${id}`));
        const tap = (card: Tap): void => void turn(() => take(unit, { type: 'card', card }));
        reader?.onCard(uid => tap({ kind: 'card', uid }));
        reader?.onPhone?.(key => tap({ kind: 'phone', key }));
        reader?.onFault(faultsOf(`reader:${id}`));
      }
      const outputFaults = faultsOf('outputs');
      outputs.onFault((fault, part) => {
        outputFaults(fault, part);
        if (fault === null) turn(() => board.someOutputsAreBack());
      });
      inputs.onFault(faultsOf('inputs'));
      inputs.onLevel((input, level) => turn(() => lineChanged(input, level)));
      if (wiring.tamper !== null) lineChanged(wiring.tamper, inputs.level(wiring.tamper));
    },

    deadline: (): Monotonic | null =>
      earliest([
        board.deadline(),
        localRules.deadline(),
        commissioning.deadline(),
        ...places.flatMap(({ unit, lights }) => [unit.deadline(), lights.deadline()]),
      ]),

    timer: (): void => {
      board.timer(clock.now());
      localRules.timer();
      commissioning.timer();
      for (const { unit, lights } of places) {
        take(unit, { type: 'timer' });
        for (const effect of lights.timer(clock.now())) board.executeOne('', effect);
      }
    },

    /** True when there is more to do soon. */
    upkeep: (): boolean => {
      reportClockFaults(faults, wall.look());
      reportSnapshotAge(faults, snapshotAge);
      state.retry();
      for (const happening of schedules.look()) triggers.happened(happening);
      return log.maintain();
    },
  };
};
