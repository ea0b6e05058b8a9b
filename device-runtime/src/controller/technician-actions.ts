import { lockedFor } from '@lintel/access-core/lockout';
import { after } from '@lintel/access-core/monotonic';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { type EventStore, EventStoreError } from '../events/event-store.ts';
import type { ReaderSignal } from '@lintel/drivers/ports/reader-signal';
import type { SnapshotStore } from '../snapshot/snapshot-store-port.ts';
import type { Assembly } from './assembly.ts';
import { type BoardLine, boardLines } from '../gadgets/board-lines.ts';
import type { FeedbackKind } from '@lintel/drivers/ports/feedback';
import type { Target } from '../access/access-checker.ts';
import { actionFields, type ActionOrder, type ExecutionResult } from '../actions/action-executor.ts';
import type { GadgetEntry } from '../snapshot/active-snapshot.ts';
import type { TechnicianPage } from './technician-page.ts';
import type { Turn } from './turn.ts';
import { inDetail, subjectOf, type Technician } from '../events/technician-record.ts';

export type PulseResult =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'unknown' }
  /** Another test runs. */
  | { readonly outcome: 'busy' }
  | { readonly outcome: 'owned'; readonly gadget_id: string }
  | { readonly outcome: 'failed'; readonly message: string };

export type FeedbackTest =
  /** The lines that the pattern is played on. */
  | { readonly outcome: 'done'; readonly lines: readonly string[] }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'failed'; readonly message: string };

interface TechnicianActionsParts {
  readonly assembly: Assembly;
  readonly events: Pick<EventStore, 'newest' | 'waiting'>;
  readonly snapshotStore: Pick<SnapshotStore, 'held'>;
  readonly execute: (order: ActionOrder) => ExecutionResult;
  readonly turn: Turn;
}

/** What a technician at the door may look at and do, whoever shows it. */
export class TechnicianActions {
  readonly live: Assembly['live'];
  readonly nextTap: Assembly['nextTap'];
  readonly rules: Assembly['localRules'];
  readonly credentialTests: Assembly['credentialTests'];
  readonly commissioning: Assembly['commissioning'];
  readonly clock: Assembly['clock'];
  readonly #parts: TechnicianActionsParts;
  /** Ends the test that runs. */
  #endTest: (() => void) | null = null;
  /** Where all this is served; null where it is not. */
  page: TechnicianPage | null = null;

  constructor(parts: TechnicianActionsParts) {
    const { assembly } = parts;
    this.#parts = parts;
    this.live = assembly.live;
    this.nextTap = assembly.nextTap;
    this.rules = assembly.localRules;
    this.credentialTests = assembly.credentialTests;
    this.commissioning = assembly.commissioning;
    this.clock = assembly.clock;
  }

  get revision(): number | null {
    return this.#parts.snapshotStore.held()?.revision ?? null;
  }

  get gadgets(): readonly GadgetEntry[] {
    return this.#parts.assembly.served.snapshot.ownGadgets;
  }

  /** Those of other controllers that the snapshot tells of. */
  get otherGadgets(): readonly GadgetEntry[] {
    const { snapshot } = this.#parts.assembly.served;
    return snapshot.knownGadgets.filter(({ id }) => !snapshot.isOwn(id));
  }

  lines(): readonly BoardLine[] {
    return boardLines(this.#parts.assembly.wiring, this.gadgets);
  }

  level(input: string): ReturnType<Assembly['inputs']['level']> {
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
      locked_for_ms: Math.ceil(lockedFor(readerUnits[index]!.lockout, clock.now())),
    }));
  }

  /** By station; null for a reader that does not tell. */
  readerSignals(): ReadonlyMap<string, ReaderSignal | null> {
    const { stations } = this.#parts.assembly.wiring;
    return new Map(
      stations.flatMap(({ id, reader }) => (reader === null ? [] : [[id, reader.signal?.() ?? null] as const])),
    );
  }

  /** None from a disk that cannot be read; then that is among the faults. */
  newestEvents(limit: number): readonly DeviceEvent[] {
    try {
      return this.#parts.events.newest(limit);
    } catch (error) {
      if (error instanceof EventStoreError) return [];
      throw error;
    }
  }

  /** Returns a function that removes the listener. */
  onSetupButton(listener: () => void): () => void {
    return this.#parts.assembly.onSetupButton(listener);
  }

  /** As if the bridge had asked for it: interlocks hold, states follow, the event names the technician. Null: no such. */
  execute({ gadget_id, action_id }: Target, by: Technician): ExecutionResult | null {
    const gadget = this.gadgets.find(({ id }) => id === gadget_id);
    if (gadget?.actions.some(({ id }) => id === action_id) !== true) return null;
    const target = actionFields({ gadget_id: gadget.id, action_id });
    return this.#parts.execute({ ...target, subject: subjectOf(by) ?? null, detail: inDetail(action_id, by) });
  }

  /** Plays a pattern on the lights and the buzzer of a station. */
  feedback(stationId: string, kind: FeedbackKind): FeedbackTest {
    const { assembly, turn } = this.#parts;
    const place = assembly.wiring.stations.find(({ id }) => id === stationId);
    if (place === undefined) return { outcome: 'unknown' };
    const shown = turn(() => assembly.show(stationId, kind));
    if (!shown.ok) return { outcome: 'failed', message: shown.error };
    return { outcome: 'done', lines: Object.values(place.indicator).filter((line: string | null) => line !== null) };
  }

  /**
   * Switches a line that no gadget hangs on. Those of a gadget move through its actions only: a pulse beside the machine
   * of a door or a blind would pass by its interlocks, and its end would lock a door that is meant to stay open.
   */
  pulse(name: string, ms: number, by: Technician): PulseResult {
    const line = this.lines().find(one => one.direction === 'output' && one.name === name);
    if (line === undefined) return { outcome: 'unknown' };
    if (line.gadget_id !== null) return { outcome: 'owned', gadget_id: line.gadget_id };
    // One at a time: before anything is claimed nobody knows which two must not be on together.
    if (this.#endTest !== null) return { outcome: 'busy' };
    const { assembly, turn } = this.#parts;
    const { log, board, faults, clock } = assembly;
    const begun = turn(() => {
      const detail = inDetail(`${name} for ${ms} ms`, by);
      log.record({ kind: 'output_tested', subject: subjectOf(by), detail });
      board.executeOne('', { type: 'output_on', output: name, pulse_ms: ms });
    });
    const cancel = clock.wake(after(clock.now(), ms), () => this.#endTest?.());
    this.#endTest = () => {
      cancel();
      this.#endTest = null;
      turn(() => board.executeOne('', { type: 'output_off', output: name }));
    };
    if (!begun.ok) return { outcome: 'failed', message: begun.error };
    const fault = faults.list().find(({ code }) => code === `output:${name}`);
    return fault === undefined ? { outcome: 'done' } : { outcome: 'failed', message: fault.message };
  }

  /** Nothing that was switched on for a test stays on. */
  stop(): void {
    this.nextTap.stop();
    this.#endTest?.();
  }
}
