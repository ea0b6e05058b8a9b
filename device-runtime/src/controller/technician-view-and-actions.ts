import { computeRemainingLockoutMs } from '@lintel/access-core/lockout';
import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { SnapshotGadgetEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { type EventStore, EventStoreError } from '../events/event-store.ts';
import type { ReaderSignalQuality, FeedbackKind } from '@lintel/drivers/interfaces';
import type { SnapshotStore } from '../snapshot/snapshot-store-interface.ts';
import type { ControllerAssembly } from './controller-assembly.ts';
import { type BoardLine, listBoardLines } from '../gadgets/board-line-purposes.ts';
import type { GadgetActionIds } from '../access/access-checker.ts';
import { toApprovedActionFields, type ApprovedAction, type ActionExecutionResult } from '../actions/action-executor.ts';
import type { TechnicianPageEndpoint } from './technician-page-endpoint-types.ts';
import type { RunControllerTurn } from './controller-turn-types.ts';
import {
  describeTechnicianAction,
  toTechnicianEventSubject,
  type ActingTechnician,
} from '../events/acting-technician.ts';

export type OutputTestResult =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'unknown' }
  /** Another test runs. */
  | { readonly outcome: 'busy' }
  | { readonly outcome: 'owned'; readonly gadget_id: string }
  | { readonly outcome: 'failed'; readonly message: string };

export type FeedbackTestResult =
  /** The output lines of the pattern. */
  | { readonly outcome: 'done'; readonly lines: readonly string[] }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'failed'; readonly message: string };

interface TechnicianActionsDependencies {
  readonly assembly: ControllerAssembly;
  readonly events: Pick<EventStore, 'newest' | 'waitingCount'>;
  readonly snapshotStore: Pick<SnapshotStore, 'held'>;
  readonly execute: (order: ApprovedAction) => ActionExecutionResult;
  readonly turn: RunControllerTurn;
}

/** What a technician can see and do at the controller. */
export class TechnicianActions {
  readonly live: ControllerAssembly['live'];
  readonly activity: ControllerAssembly['activity'];
  readonly tapCapture: ControllerAssembly['nextTap'];
  readonly rules: ControllerAssembly['localRules'];
  readonly credentialTests: ControllerAssembly['credentialTests'];
  readonly commissioning: ControllerAssembly['commissioning'];
  readonly clock: ControllerAssembly['clock'];
  readonly #parts: TechnicianActionsDependencies;
  /** Ends the running test. */
  #endTest: (() => void) | null = null;
  /** Null when the technician page is not served. */
  page: TechnicianPageEndpoint | null = null;

  constructor(parts: TechnicianActionsDependencies) {
    const { assembly } = parts;
    this.#parts = parts;
    this.live = assembly.live;
    this.activity = assembly.activity;
    this.tapCapture = assembly.nextTap;
    this.rules = assembly.localRules;
    this.credentialTests = assembly.credentialTests;
    this.commissioning = assembly.commissioning;
    this.clock = assembly.clock;
  }

  get revision(): number | null {
    return this.#parts.snapshotStore.held()?.revision ?? null;
  }

  get gadgets(): readonly SnapshotGadgetEntry[] {
    return this.#parts.assembly.served.snapshot.ownGadgets;
  }

  /** Gadgets of other controllers in the snapshot. */
  get otherGadgets(): readonly SnapshotGadgetEntry[] {
    const { snapshot } = this.#parts.assembly.served;
    return snapshot.knownGadgets.filter(({ id }) => !snapshot.isOwn(id));
  }

  lines(): readonly BoardLine[] {
    return listBoardLines(this.#parts.assembly.wiring, this.gadgets);
  }

  level(input: string): ReturnType<ControllerAssembly['inputs']['level']> {
    return this.#parts.assembly.inputs.level(input);
  }

  stations(): readonly {
    readonly id: string;
    readonly keypad: boolean;
    readonly reader: boolean;
    readonly locked_for_ms: number;
  }[] {
    const { wiring, readerUnits, clock } = this.#parts.assembly;
    return wiring.stations.map(({ id, keypad, reader }, index) => ({
      id,
      keypad: keypad !== null,
      reader: reader !== null,
      locked_for_ms: Math.ceil(computeRemainingLockoutMs(readerUnits[index]!.lockout, clock.now())),
    }));
  }

  /** By station; null for a reader without signal data. */
  readerSignals(): ReadonlyMap<string, ReaderSignalQuality | null> {
    const { stations } = this.#parts.assembly.wiring;
    return new Map(
      stations.flatMap(({ id, reader }) => (reader === null ? [] : [[id, reader.signal?.() ?? null] as const])),
    );
  }

  /** Empty when the disk cannot be read, which is a fault of its own. */
  newestEvents(limit: number): readonly DeviceEvent[] {
    try {
      const { events, assembly } = this.#parts;
      return events.newest(limit).map(event => assembly.eventTimes.correct(event));
    } catch (error) {
      if (error instanceof EventStoreError) return [];
      throw error;
    }
  }

  /** Returns a function that removes the listener. */
  onSetupButton(listener: () => void): () => void {
    return this.#parts.assembly.onSetupButton(listener);
  }

  /** Like a request of the bridge, with interlocks. The event names the technician. Null: unknown gadget or action. */
  execute({ gadget_id, action_id }: GadgetActionIds, by: ActingTechnician): ActionExecutionResult | null {
    const gadget = this.gadgets.find(({ id }) => id === gadget_id);
    if (gadget?.actions.some(({ id }) => id === action_id) !== true) return null;
    const target = toApprovedActionFields({ gadget_id: gadget.id, action_id });
    return this.#parts.execute({
      ...target,
      subject: toTechnicianEventSubject(by) ?? null,
      detail: describeTechnicianAction(action_id, by),
    });
  }

  recordProfileChange(what: string, by: ActingTechnician): void {
    const { log } = this.#parts.assembly;
    const detail = describeTechnicianAction(what, by);
    log.record({ kind: 'profile_changed', subject: toTechnicianEventSubject(by), detail });
  }

  /** Plays a pattern on the lights and the buzzer of a station. */
  playFeedback(stationId: string, kind: FeedbackKind): FeedbackTestResult {
    const { assembly, turn } = this.#parts;
    const place = assembly.wiring.stations.find(({ id }) => id === stationId);
    if (place === undefined) return { outcome: 'unknown' };
    const shown = turn(() => assembly.show(stationId, kind));
    if (!shown.ok) return { outcome: 'failed', message: shown.error };
    return { outcome: 'done', lines: Object.values(place.indicator).filter((line: string | null) => line !== null) };
  }

  /**
   * Switches an output that belongs to no gadget. Outputs of gadgets move through actions only: a direct pulse would
   * bypass interlocks, and its end would lock a door that should stay unlocked.
   */
  pulseOutput(name: string, ms: number, by: ActingTechnician): OutputTestResult {
    const line = this.lines().find(output => output.direction === 'output' && output.name === name);
    if (line === undefined) return { outcome: 'unknown' };
    if (line.gadget_id !== null) return { outcome: 'owned', gadget_id: line.gadget_id };
    // One at a time: without a snapshot the interlocks between outputs are unknown.
    if (this.#endTest !== null) return { outcome: 'busy' };
    const { assembly, turn } = this.#parts;
    const { log, board, faults, clock } = assembly;
    const begun = turn(() => {
      const detail = describeTechnicianAction(`${name} for ${ms} ms`, by);
      log.record({ kind: 'output_tested', subject: toTechnicianEventSubject(by), detail });
      board.executeEffect('', { type: 'output_on', output: name, pulse_ms: ms });
    });
    const cancel = clock.wake(addMilliseconds(clock.now(), ms), () => this.#endTest?.());
    this.#endTest = () => {
      cancel();
      this.#endTest = null;
      turn(() => board.executeEffect('', { type: 'output_off', output: name }));
    };
    if (!begun.ok) return { outcome: 'failed', message: begun.error };
    const fault = faults.list().find(({ code }) => code === `output:${name}`);
    return fault === undefined ? { outcome: 'done' } : { outcome: 'failed', message: fault.message };
  }

  /** Switches off outputs that are being tested. */
  stop(): void {
    this.tapCapture.stop();
    this.#endTest?.();
  }
}
