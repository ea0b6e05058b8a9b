import { defaultKeyEntryTimes, type KeyEntryTimes } from '@lintel/access-core/key-entry-model';
import { type Monotonic, monotonic } from '@lintel/access-core/monotonic';
import type { UntrustedTimePolicy } from '@lintel/access-core/permission/decision';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { EventStore } from '../events/event-store.ts';
import type { InputLines } from '@lintel/drivers/ports/input-lines';
import type { Log } from '@lintel/service/log/log';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { OutputLines } from '@lintel/drivers/ports/output-lines';
import type { PeerGadgets } from '../gadgets/peer-gadgets.ts';
import type { FaultListener } from '@lintel/drivers/ports/part-fault';
import type { SliceStore } from '../snapshot/snapshot-store-port.ts';
import type { StateStore } from '../state/state-store.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import { Aftermath } from './post-decision-tasks.ts';
import { Commissioning } from '../commissioning/commissioning.ts';
import { CredentialDigests } from '../credentials/credential-digests.ts';
import { CredentialTrials } from '../credential-tests/credential-tests.ts';
import type { DoorModes } from '../gadgets/doors.ts';
import { DoorLoop } from '../reader-units/door-loop.ts';
import { EventLanes } from '../events/event-queues.ts';
import { EventLog } from '../events/event-log.ts';
import { type Fault, FaultBook } from '../faults/fault-registry.ts';
import { GadgetBoard } from '../gadgets/gadget-board.ts';
import type { FeedbackKind } from '@lintel/drivers/ports/feedback';
import { Indicator } from '../gadgets/indicator.ts';
import { Judge } from '../access/access-checker.ts';
import { LiveFeed } from '../live/live-feed.ts';
import { NextTap } from '../reader-units/next-tap.ts';
import { Ownership } from '../state/ownership.ts';
import { Performer } from '../actions/action-executor.ts';
import { Revocations } from '../credentials/revocation-log.ts';
import { rulesHere } from './device-rules.ts';
import { ScheduleRunner } from '../actions/schedule-runner.ts';
import { SequenceNumbers } from '../events/sequence-numbers.ts';
import { ServedSlice } from '../snapshot/active-snapshot.ts';
import { SliceAge } from '../snapshot/snapshot-age.ts';
import { Station, type StationInput } from '../reader-units/reader-unit.ts';
import type { Tap } from '../credentials/tap.ts';
import { TolerantState } from '../state/retrying-state-store.ts';
import { TriggerRunner } from '../actions/trigger-runner.ts';
import { tellAge, tellTamper, tellTime } from './watched-faults.ts';
import type { Wiring } from '@lintel/drivers/ports/wiring';

export interface ControllerParts {
  readonly wiring: Wiring;
  readonly outputs: OutputLines;
  readonly inputs: InputLines;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  readonly events: EventStore;
  readonly slices: SliceStore;
  readonly state: StateStore;
  readonly peers: PeerGadgets;
  readonly digestKey: Uint8Array;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly log: Log;
  readonly times?: KeyEntryTimes;
  readonly untrustedTime?: UntrustedTimePolicy;
  /** Without a word of the bridge for longer, nobody is let in; null: never. */
  readonly sliceRefusedAfterMs?: number | null;
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
export const assemble = (parts: ControllerParts, turn: (work: () => void) => void) => {
  const { clock, wall, wiring, inputs, peers } = parts;
  const live = new LiveFeed();
  const outputs = live.watching(parts.outputs);
  const times = parts.times ?? defaultKeyEntryTimes;
  const served = { slice: new ServedSlice() };
  const slice = (): ServedSlice => served.slice;

  const logFault = ({ code, message }: Fault): void => parts.log('error', message, { fault: code });
  const recordFault = ({ code, message }: Fault): void =>
    void log.record({ kind: 'fault', fault: `${code}: ${message}`.slice(0, LONGEST_FAULT) });
  const faults: FaultBook = new FaultBook(() => wall.now(), {
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
  const state = new TolerantState(parts.state, faults);
  const lanes = new EventLanes(parts.events, {
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
  const revocations = new Revocations(state);
  const ownership = new Ownership(state);
  const untrustedTime = parts.untrustedTime ?? 'refuse';
  const sliceAge = new SliceAge({ state, wall, refuseAfterMs: parts.sliceRefusedAfterMs ?? null });
  const isSliceOfUse = (): boolean => sliceAge.isOfUse;
  /** So that the timer is set to what is due next. */
  const rearm = (): void => turn(() => undefined);
  const { randomBytes } = parts;
  const commissioning = new Commissioning({ slice, digests, clock, state, log, randomBytes, changed: rearm });
  const judge = new Judge({ slice, digests, revocations, commissioning, clock: wall, untrustedTime, isSliceOfUse });

  const rules = rulesHere({ slice, slices: parts.slices, state, clock, wall, log, live, randomBytes, rearm });
  const { localRules } = rules;
  const trials = new CredentialTrials({ judge, rules: () => localRules.compiled, live, log, clock, state, times });

  const now = clock.now();
  const lockouts = readLockouts(state);
  const places = wiring.stations.map(place => ({
    ...place,
    station: new Station(place.id, judge, () => localRules.compiled, times, lockouts[place.id], now),
    lights: new Indicator(place.indicator, now, wiring.feedback),
  }));
  const show = (id: string, kind: FeedbackKind): void => {
    live.feedback(id, kind);
    for (const { lights } of places.filter(place => place.id === id))
      for (const effect of lights.show(kind, clock.now())) board.executeOne('', effect);
  };

  const report: Aftermath['note'] = one => aftermath.note(one);
  const board: GadgetBoard = new GadgetBoard({
    wiring,
    outputs,
    inputs,
    faults,
    keptModes: readModes(state),
    report,
    show,
  });
  const performer = new Performer(board, log);
  const triggers = new TriggerRunner({ slice, performer, peers, log, clock, wall });
  const aftermath: Aftermath = new Aftermath({ slice, log, clock, wall, happened: one => triggers.happened(one) });
  const schedules = new ScheduleRunner(slice, wall, state);
  const commissioned = (): void => commissioning.used();
  const loop = new DoorLoop({ slice, judge, log, performer, triggers, peers, clock, wall, show, commissioned, turn });

  const faultsOf =
    (what: string): FaultListener =>
    (fault, part) => {
      const code = part === undefined ? what : `${what}:${part}`;
      turn(() => (fault === null ? faults.clear(code) : faults.raise(code, fault.message, fault.kind)));
    };

  const nextTap = new NextTap(clock);
  let setupButtonPressed = (): void => undefined;
  const lineChanged = (input: string, level: ReturnType<InputLines['level']>): void => {
    live.input(input, level);
    if (input === wiring.setup_button && level === 'active') setupButtonPressed();
    if (input !== wiring.tamper) board.lineChanged(input, level, clock.now());
    else tellTamper(faults, inputs, input, level);
  };

  const take = (station: Station, input: StationInput): void => {
    if (input.type === 'key') live.key(station.id, input.key);
    if (input.type === 'card' && input.card.kind === 'card') live.card(station.id, input.card.uid);
    if (input.type === 'card' && nextTap.catches(station.id, input.card)) return show(station.id, 'rule_armed');
    loop.take(station, input);
    live.entry(station.id, station.entry);
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
    trials,
    state,
    faults,
    log,
    lanes,
    digests,
    revocations,
    ownership,
    sliceAge,
    judge,
    served,
    board,
    performer,
    triggers,
    aftermath,
    schedules,
    stations: places.map(({ station }) => station),

    show,

    onSetupButton: (listener: () => void): void => {
      setupButtonPressed = listener;
    },

    listen: (): void => {
      localRules.begin();
      commissioning.begin();
      for (const { id, keypad, reader, station } of places) {
        keypad?.onKey(key => turn(() => take(station, { type: 'key', key })));
        keypad?.onFault(faultsOf(`keypad:${id}`));
        const tap = (card: Tap): void => turn(() => take(station, { type: 'card', card }));
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
        ...places.flatMap(({ station, lights }) => [station.deadline(), lights.deadline()]),
      ]),

    timer: (): void => {
      board.timer(clock.now());
      localRules.timer();
      commissioning.timer();
      for (const { station, lights } of places) {
        take(station, { type: 'timer' });
        for (const effect of lights.timer(clock.now())) board.executeOne('', effect);
      }
    },

    /** True when there is more to do soon. */
    upkeep: (): boolean => {
      tellTime(faults, wall.look());
      tellAge(faults, sliceAge);
      state.retry();
      for (const happening of schedules.look()) triggers.happened(happening);
      return log.maintain();
    },
  };
};
