import { defaultKeyEntryTimes, type KeyEntryTimes } from '@lintel/access-core/key-entry-types';
import { createLongestLockout } from '@lintel/access-core/lockout';
import { type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import type { UntrustedTimePolicy } from '@lintel/access-core/permission/decision-types';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type {
  InputLines,
  OutputLines,
  PartFaultListener,
  FeedbackKind,
  BluetoothRadioWiring,
  DoorWiring,
  Wiring,
} from '@lintel/drivers/interfaces';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { PeerActionExecutor } from '../gadgets/peer-action-executor-interface.ts';
import type { SnapshotStore } from '../snapshot/snapshot-store-interface.ts';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';
import type { WallClock } from '../clock/wall-clock-interface.ts';
import { GadgetReportRecorder } from './record-gadget-reports-and-fire-triggers.ts';
import { CommissioningCredentialManager } from '../commissioning/commissioning-credential-manager.ts';
import { DeviceCredentialDigester } from '../credentials/credential-digests.ts';
import { CredentialTester } from '../credential-tests/credential-tester.ts';
import type { DoorModeByGadgetId } from '../gadgets/door-state-machines.ts';
import { BluetoothRequestHandler } from '../reader-units/bluetooth-request-handler.ts';
import { ReaderInputHandler } from '../reader-units/reader-input-handler.ts';
import { EventQueues } from '../events/event-queues.ts';
import { EventLog } from '../events/event-log.ts';
import { EventTimeCorrector } from '../events/event-time-corrector.ts';
import { type ControllerFault, ControllerFaultRegistry } from '../faults/controller-fault-registry.ts';
import { DeviceGadgets } from '../gadgets/device-gadgets.ts';
import { ReaderUnitIndicator } from '../gadgets/reader-unit-indicator.ts';
import { AccessChecker, type GadgetActionIds } from '../access/access-checker.ts';
import { LiveFeed } from '../live/live-feed.ts';
import { PartActivity } from '../live/part-activity.ts';
import { TapCapture } from '../reader-units/tap-capture.ts';
import { OwnershipRecord } from '../state/ownership-record.ts';
import { ReplacementRecord } from '../state/replacement-record.ts';
import { ActionExecutor } from '../actions/action-executor.ts';
import { RevocationLog } from '../credentials/revocation-log.ts';
import { createInputRuleComponents } from './create-input-rule-components.ts';
import { ScheduleChangeMonitor } from '../actions/schedule-begin-and-end-monitor.ts';
import { EventSequenceAllocator } from '../events/event-sequence-allocator.ts';
import type { EventStore } from '../events/event-store.ts';
import type { LastEventNumber } from '../events/last-number-file.ts';
import { noUnwrittenCopy, type UnwrittenCopy } from '../events/unwritten-copy.ts';
import { UnwrittenEvents } from '../events/unwritten-events.ts';
import { DiskSpaceMonitor, type ReadDiskUsage } from '../faults/disk-space-monitor.ts';
import { ActiveSnapshot } from '../snapshot/active-snapshot.ts';
import { FallbackDoorStructure } from '../snapshot/fallback-device-site-and-gadgets.ts';
import { SnapshotAge } from '../snapshot/snapshot-age.ts';
import { ReaderUnit, type ReaderUnitKeyEntryInput } from '../reader-units/reader-unit.ts';
import type { Tap } from '../credentials/reader-tap-type.ts';
import { DataAuthenticator } from '../state/data-authenticator.ts';
import { RetryingStateStore } from '../state/retrying-state-store.ts';
import { TriggerRunner } from '../actions/trigger-runner.ts';
import type { RunControllerTurn } from './controller-turn-types.ts';
import {
  reportSnapshotAgeFaults,
  reportReplacementFault,
  reportTamperFault,
  reportClockFaults,
} from './report-clock-snapshot-tamper-faults.ts';

export interface ControllerDependencies {
  readonly wiring: Wiring;
  readonly outputs: OutputLines;
  readonly inputs: InputLines;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  readonly events: Pick<EventStore, keyof EventStore>;
  /** Default: not saved. */
  readonly lastEventNumber?: LastEventNumber;
  /** Default: none. */
  readonly unwrittenCopy?: UnwrittenCopy;
  /** Default: unknown. */
  readonly diskUsage?: ReadDiskUsage;
  readonly snapshotStore: SnapshotStore;
  readonly state: ControllerStateStore;
  readonly peers: PeerActionExecutor;
  readonly digestKey: Uint8Array;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly log: Log;
  readonly times?: KeyEntryTimes;
  readonly untrustedTime?: UntrustedTimePolicy;
  /** All access is denied when the bridge has not confirmed the snapshot for longer; null: never. */
  readonly snapshotRefusedAfterMs?: number | null;
  readonly onEventRecorded?: (event: DeviceEvent) => void;
  readonly onOlderEventsWaiting?: () => void;
  /** Delivers faults that were found before the controller started. */
  readonly reportStartupFaults?: (report: (code: string, message: string) => void) => void;
}

const LONGEST_FAULT = 200;
const EPOCH_BYTES = 9;

const readModes = (state: ControllerStateStore): DoorModeByGadgetId => {
  const saved = state.read('door_modes');
  const entries = typeof saved === 'object' && saved !== null ? Object.entries(saved) : [];
  return Object.fromEntries(entries.filter(([, mode]) => mode === 'unlocked' || mode === 'normal'));
};

/** By the id of the keypad. */
const readLockouts = (state: ControllerStateStore, times: KeyEntryTimes): ((id: string) => unknown) => {
  const saved = state.read('lockouts');
  if (state.isUnreadable?.('lockouts') === true) return () => createLongestLockout(times);
  const lockouts: Readonly<Record<string, unknown>> = typeof saved === 'object' && saved !== null ? { ...saved } : {};
  return id => lockouts[id];
};

const earliest = (deadlines: readonly (MonotonicTime | null)[]): MonotonicTime | null => {
  const set = deadlines.filter(at => at !== null);
  return set.length === 0 ? null : monotonic(Math.min(...set));
};

export type ControllerAssembly = ReturnType<typeof assembleController>;

/** Creates and connects the components of a controller. `turn` handles one input. */
export const assembleController = (parts: ControllerDependencies, turn: RunControllerTurn) => {
  const { clock, wall, wiring, inputs, peers } = parts;
  const live = new LiveFeed();
  const activity = new PartActivity(clock);
  const outputs = live.observeOutputs(parts.outputs);
  const times = parts.times ?? defaultKeyEntryTimes;
  const served = { snapshot: new ActiveSnapshot() };
  const snapshot = (): ActiveSnapshot => served.snapshot;

  const logFault = ({ code, message }: ControllerFault): void => parts.log('error', message, { fault: code });
  const recordFault = ({ code, message }: ControllerFault): void =>
    void log.record({ kind: 'fault', fault: `${code}: ${message}`.slice(0, LONGEST_FAULT) });
  const faults: ControllerFaultRegistry = new ControllerFaultRegistry(() => wall.now(), {
    begun: fault => {
      logFault(fault);
      recordFault(fault);
    },
    changed: fault => {
      logFault(fault);
      // A reader that is disconnected, opened and connected again must be reported as opened.
      if (fault.kind === 'tampered') recordFault(fault);
    },
    over: ({ code, message }) => parts.log('info', `Resolved: ${message}`, { fault: code }),
  });
  const state = new RetryingStateStore(parts.state, faults);
  const disk = new DiskSpaceMonitor(parts.diskUsage ?? (() => null), faults);
  const unwritten = new UnwrittenEvents(parts.unwrittenCopy ?? noUnwrittenCopy);
  const numbers = new EventSequenceAllocator(
    state,
    Math.max(parts.events.lastSequence(), ...unwritten.all.map(({ sequence }) => sequence)),
    Buffer.from(parts.randomBytes(EPOCH_BYTES)).toString('base64url'),
    parts.lastEventNumber,
  );
  const log: EventLog = new EventLog({
    store: parts.events,
    numbers,
    unwritten,
    disk,
    state,
    clock: wall,
    faults,
    log: parts.log,
    randomBytes: parts.randomBytes,
    onRecorded: event => {
      live.event(event);
      parts.onEventRecorded?.(event);
    },
    onOlderEventsWaiting: () => {
      eventQueues.restart();
      parts.onOlderEventsWaiting?.();
    },
  });
  // After the log, which records a fault if the disk cannot be written.
  const eventTimes = new EventTimeCorrector({ state, clock: wall, lastSequence: () => numbers.last });
  const eventQueues = new EventQueues(parts.events, log, eventTimes);

  const digests = new DeviceCredentialDigester(parts.digestKey);
  const authenticator = new DataAuthenticator(parts.digestKey);
  const revocations = new RevocationLog(state, authenticator);
  const doorStructure = new FallbackDoorStructure(state, authenticator);
  const ownership = new OwnershipRecord(state);
  const untrustedTime = parts.untrustedTime ?? 'refuse';
  const snapshotAge = new SnapshotAge({ state, wall, refuseAfterMs: parts.snapshotRefusedAfterMs ?? null });
  const replacement = new ReplacementRecord(state, wall);
  const isSnapshotValid = (): boolean => snapshotAge.isValid && !replacement.deniesAccess;
  /** Sets the timer to the next deadline. */
  const rearm = (): void => void turn(() => undefined);
  const { randomBytes } = parts;
  const commissioning = new CommissioningCredentialManager({
    snapshot,
    digests,
    clock,
    state,
    log,
    randomBytes,
    onChange: rearm,
  });
  const checker = new AccessChecker({
    snapshot,
    digests,
    revocations,
    commissioning,
    clock: wall,
    untrustedTime,
    isSnapshotValid,
  });

  const rules = createInputRuleComponents({
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
  const credentialTests = new CredentialTester({
    checker,
    rules: () => localRules.compiled,
    live,
    log,
    clock,
    state,
    times,
  });

  const now = clock.now();
  const lockoutOf = readLockouts(state, times);
  const places = wiring.stations.map(place => ({
    ...place,
    unit: new ReaderUnit(place.id, checker, () => localRules.compiled, times, lockoutOf(place.id), now),
    lights: new ReaderUnitIndicator(place.indicator, now, wiring.feedback),
  }));
  const show = (id: string, kind: FeedbackKind): void => {
    live.feedback(id, kind);
    for (const { lights } of places.filter(place => place.id === id))
      for (const effect of lights.show(kind, clock.now())) board.executeEffect('', effect);
  };

  const onReport: GadgetReportRecorder['enqueue'] = report => gadgetReports.enqueue(report);
  const board: DeviceGadgets = new DeviceGadgets({
    wiring,
    outputs,
    inputs,
    faults,
    savedModes: readModes(state),
    onReport,
    show,
  });
  const executor = new ActionExecutor(board, log);
  const triggers = new TriggerRunner({ snapshot, executor, peers, log, clock, wall, turn });
  const gadgetReports: GadgetReportRecorder = new GadgetReportRecorder({
    snapshot,
    log,
    clock,
    wall,
    fireTriggers: source => triggers.handle(source),
  });
  const schedules = new ScheduleChangeMonitor(snapshot, wall, state);
  const onCommissioningUse = ({ gadget_id, action_id }: GadgetActionIds): void => {
    activity.record(`rule:${gadget_id}:${action_id}`);
    commissioning.countUse();
  };
  const loop = new ReaderInputHandler({
    snapshot,
    checker,
    log,
    executor,
    triggers,
    peers,
    clock,
    wall,
    readerUnit: id => places.find(place => place.id === id)?.unit,
    show,
    onCommissioningUse,
    turn,
  });

  const faultsOf =
    (what: string): PartFaultListener =>
    (fault, part) => {
      const code = part === undefined ? what : `${what}:${part}`;
      turn(() => (fault === null ? faults.clear(code) : faults.raise(code, fault.message, fault.kind)));
    };

  const nextTap = new TapCapture(clock, station => live.awaitingCard(station));
  const setupButtonListeners = new Set<() => void>();
  const lineChanged = (input: string, level: ReturnType<InputLines['level']>): void => {
    live.input(input, level);
    activity.recordLevel(input, level);
    if (input === wiring.setup_button && level === 'active') for (const pressed of setupButtonListeners) pressed();
    if (input !== wiring.tamper) board.onInputLevel(input, level, clock.now());
    else reportTamperFault(faults, inputs, input, level);
  };

  const take = (unit: ReaderUnit, input: ReaderUnitKeyEntryInput): void => {
    if (input.type === 'key') {
      live.key(unit.id, input.key);
      activity.record(`keypad:${unit.id}`);
    }
    if (input.type === 'card' && input.card.kind === 'card') live.card(unit.id, input.card.uid);
    if (input.type === 'card' && nextTap.capture(unit.id, input.card)) return show(unit.id, 'rule_armed');
    try {
      loop.handleInput(unit, input);
    } catch (error) {
      show(unit.id, 'refused');
      throw error;
    } finally {
      live.entry(unit.id, unit.entry);
    }
  };

  const listenToPhones = ({ radio, limits }: BluetoothRadioWiring): void => {
    const doorWiring = (id: string): DoorWiring | null => board.doorWiring(id);
    const phones = new BluetoothRequestHandler({ checker, log, input: loop, doorWiring, limits });
    radio.onRequest(request => {
      const handled = turn(() => phones.handle(request));
      return handled.ok ? handled.value : 'door_fault';
    });
    radio.onWrongProof(() => void turn(() => phones.onWrongProof()));
    radio.onFault(faultsOf('bluetooth'));
  };

  return {
    clock,
    wall,
    wiring,
    inputs,
    live,
    activity,
    nextTap,
    rules,
    localRules,
    commissioning,
    credentialTests,
    state,
    faults,
    log,
    eventQueues,
    eventTimes,
    digests,
    revocations,
    doorStructure,
    ownership,
    replacement,
    snapshotAge,
    checker,
    served,
    board,
    executor,
    triggers,
    gadgetReports,
    schedules,
    readerUnits: places.map(({ unit }) => unit),

    show,

    onSetupButton: (listener: () => void): (() => void) => {
      setupButtonListeners.add(listener);
      return () => void setupButtonListeners.delete(listener);
    },

    listen: (): void => {
      localRules.reportRevertByRestart();
      commissioning.reportEndByRestart();
      for (const { id, keypad, reader, unit } of places) {
        keypad?.onKey(key => void turn(() => take(unit, { type: 'key', key })));
        keypad?.onFault(faultsOf(`keypad:${id}`));
        const tap = (card: Tap): void => void turn(() => take(unit, { type: 'card', card }));
        reader?.onCard(uid => tap({ kind: 'card', uid }));
        reader?.onPhone?.(key => tap({ kind: 'phone', key }));
        reader?.onMagicLink?.(token => tap({ kind: 'magic_link', token }));
        reader?.onFault(faultsOf(`reader:${id}`));
      }
      if (wiring.bluetooth != null) listenToPhones(wiring.bluetooth);
      const outputFaults = faultsOf('outputs');
      outputs.onFault((fault, part) => {
        outputFaults(fault, part);
        if (fault === null) turn(() => board.onOutputsRecovered());
      });
      inputs.onFault(faultsOf('inputs'));
      for (const input of wiring.lines?.inputs ?? []) activity.recordLevel(input, inputs.level(input));
      inputs.onLevel((input, level) => turn(() => lineChanged(input, level)));
      if (wiring.tamper !== null) lineChanged(wiring.tamper, inputs.level(wiring.tamper));
    },

    deadline: (): MonotonicTime | null =>
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
        for (const effect of lights.timer(clock.now())) board.executeEffect('', effect);
      }
    },

    /** True when more work is due soon. */
    upkeep: (): boolean => {
      reportClockFaults(faults, wall.poll());
      reportSnapshotAgeFaults(faults, snapshotAge);
      reportReplacementFault(faults, replacement);
      state.retry();
      for (const input of schedules.poll()) triggers.handle(input);
      disk.check();
      return log.maintain();
    },
  };
};
