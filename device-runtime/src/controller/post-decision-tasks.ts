import { instant, type Instant } from '@lintel/access-core/instant';
import type { GadgetId } from '@lintel/access-core/ids';
import type { Monotonic } from '@lintel/access-core/monotonic';
import type { Happening } from '@lintel/access-core/triggers/fire-triggers';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { WallClock } from '../clock/wall-clock.ts';
import type { EventDraft, EventLog } from '../events/event-log.ts';
import type { Report } from '../gadgets/gadget-board.ts';
import { reportedSignal, reportedState } from './reported-names.ts';
import type { ActiveSnapshot } from '../snapshot/active-snapshot.ts';

interface PostDecisionTasksParts {
  readonly snapshot: () => ActiveSnapshot;
  readonly log: EventLog;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  readonly happened: (happening: Happening) => void;
}

interface KnownState {
  readonly state_id: string;
  readonly since: Instant;
}

/** What gadgets say after they were moved: told as events in one write, then to the triggers. The relay waits for none of it. */
export class PostDecisionTasks {
  readonly #parts: PostDecisionTasksParts;
  readonly #states = new Map<string, KnownState>();
  #reports: Report[] = [];

  constructor(parts: PostDecisionTasksParts) {
    this.#parts = parts;
  }

  note(report: Report): void {
    this.#reports.push(report);
  }

  /** A trigger may move a gadget that reports again: until nothing is left to tell. Chains end by their depth. */
  settle(): void {
    while (this.#reports.length > 0) {
      const followed = this.#reports.splice(0).flatMap(report => this.#follow(report) ?? []);
      if (followed.length === 0) continue;
      this.#parts.log.record(...followed.map(({ draft }) => draft));
      for (const { happening } of followed) this.#parts.happened(happening);
    }
  }

  #follow(report: Report): { readonly draft: EventDraft; readonly happening: Happening } | null {
    const gadget = this.#parts.snapshot().gadget(report.gadget_id);
    if (gadget === undefined) return null;
    const gadget_id: GadgetId = gadget.id;
    const occurred_at = this.#instantOf(report.at);
    if (report.type === 'signal') {
      const signal_id = reportedSignal(gadget, report.name);
      if (signal_id === null) return null;
      const draft: EventDraft = { kind: 'signal', gadget_id, gadget_signal_id: signal_id, occurred_at };
      return { draft, happening: { type: 'signal', gadget_id, signal_id } };
    }
    const after = reportedState(gadget, report.name);
    const before = this.#states.get(gadget_id)?.state_id ?? null;
    if (after === null || after === before) return null;
    this.#states.set(gadget_id, { state_id: after, since: occurred_at });
    const draft: EventDraft = { kind: 'state', gadget_id, gadget_state_id: after, occurred_at };
    return { draft, happening: { type: 'state', gadget_id, before, after } };
  }

  #instantOf(at: Monotonic | null): Instant {
    const { wall, clock } = this.#parts;
    return at === null ? wall.now() : instant(Math.round(wall.now() - Math.max(0, clock.now() - at)));
  }

  /** What each gadget is in now, as far as it is known. */
  states(): readonly (KnownState & { readonly gadget_id: string })[] {
    return [...this.#states].map(([gadget_id, state]) => ({ gadget_id, ...state }));
  }
}
