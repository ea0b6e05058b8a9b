import { instant, type Instant } from '@lintel/access-core/instant';
import type { GadgetId } from '@lintel/access-core/ids';
import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { TriggerInput } from '@lintel/access-core/triggers/compute-trigger-effects';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { WallClock } from '../clock/wall-clock-interface.ts';
import type { EventDraft, EventLog } from '../events/event-log.ts';
import type { GadgetReport } from '../gadgets/device-gadgets.ts';
import { findReportedSignalId, findReportedStateId } from './map-reported-state-and-signal-ids.ts';
import type { ActiveSnapshot } from '../snapshot/active-snapshot.ts';

interface GadgetReportRecorderDependencies {
  readonly snapshot: () => ActiveSnapshot;
  readonly log: EventLog;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  readonly fireTriggers: (input: TriggerInput) => void;
}

interface KnownState {
  readonly state_id: string;
  readonly since: Instant;
}

/** Records the reports of gadgets in one write and fires triggers, after the relay has switched. */
export class GadgetReportRecorder {
  readonly #parts: GadgetReportRecorderDependencies;
  readonly #states = new Map<string, KnownState>();
  #reports: GadgetReport[] = [];

  constructor(parts: GadgetReportRecorderDependencies) {
    this.#parts = parts;
  }

  enqueue(report: GadgetReport): void {
    this.#reports.push(report);
  }

  /** Repeats until no gadget reports, because triggers move gadgets. The depth limit ends chains. */
  runAll(): void {
    while (this.#reports.length > 0) {
      const recorded = this.#reports.splice(0).flatMap(report => this.#toEvent(report) ?? []);
      if (recorded.length === 0) continue;
      this.#parts.log.record(...recorded.map(({ draft }) => draft));
      for (const { input } of recorded) this.#parts.fireTriggers(input);
    }
  }

  #toEvent(report: GadgetReport): { readonly draft: EventDraft; readonly input: TriggerInput } | null {
    const gadget = this.#parts.snapshot().gadget(report.gadget_id);
    if (gadget === undefined) return null;
    const gadget_id: GadgetId = gadget.id;
    const occurred_at = this.#instantOf(report.at);
    if (report.type === 'signal') {
      const signal_id = findReportedSignalId(gadget, report.name);
      if (signal_id === null) return null;
      const draft: EventDraft = { kind: 'signal', gadget_id, gadget_signal_id: signal_id, occurred_at };
      return { draft, input: { type: 'signal', gadget_id, signal_id } };
    }
    const after = findReportedStateId(gadget, report.name);
    const before = this.#states.get(gadget_id)?.state_id ?? null;
    if (after === null || after === before) return null;
    this.#states.set(gadget_id, { state_id: after, since: occurred_at });
    const draft: EventDraft = { kind: 'state', gadget_id, gadget_state_id: after, occurred_at };
    return { draft, input: { type: 'state', gadget_id, before, after } };
  }

  #instantOf(at: MonotonicTime | null): Instant {
    const { wall, clock } = this.#parts;
    return at === null ? wall.now() : instant(Math.round(wall.now() - Math.max(0, clock.now() - at)));
  }

  /** The known states of gadgets. */
  states(): readonly (KnownState & { readonly gadget_id: string })[] {
    return [...this.#states].map(([gadget_id, state]) => ({ gadget_id, ...state }));
  }
}
