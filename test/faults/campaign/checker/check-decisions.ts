import { AccessTimeline } from './access-timeline.ts';
import type { Presentation, RoundHistory, Violation } from './round-history-types.ts';

/** What a controller must know, from the decisions that it has already made. Knowledge is never lost. */
class DoorKnowledge {
  readonly #timeline: AccessTimeline;
  #snapshot = 0;
  /** By card, because a revocation of one card arrives ahead of the snapshot. */
  readonly #cards = new Map<string, number>();

  constructor(timeline: AccessTimeline) {
    this.#timeline = timeline;
  }

  check({ card, door, outcome, answeredAt }: Presentation, isDenialExcused: boolean): Violation | null {
    const from = Math.max(this.#snapshot, this.#cards.get(card) ?? 0);
    const to = this.#timeline.newestAt(answeredAt);
    const isGrant = outcome === 'granted';
    const version = this.#timeline.first(card, door, isGrant, from);
    const detail = `card ${card} at ${door}, versions ${from} to ${to}`;
    if (version !== null && version <= to) {
      if (isGrant) this.#snapshot = Math.max(this.#snapshot, version);
      if (isGrant || !isDenialExcused) this.#cards.set(card, version);
      return null;
    }
    if (isGrant) return { kind: 'forbidden_grant', detail };
    const isExcused = isDenialExcused || this.#timeline.hasRevocation(card, from, to);
    return isExcused ? null : { kind: 'wrong_denial', detail };
  }
}

/** Every decision fits a state that the controller could know, and no controller forgets what it knew. */
export const checkDecisions = (history: RoundHistory): Violation[] => {
  const doors = [...new Set(history.presentations.map(({ door }) => door))];
  const timeline = new AccessTimeline(history.initial, history.writes, doors);
  const violations: Violation[] = [];
  for (const door of doors) {
    const knowledge = new DoorKnowledge(timeline);
    for (const presentation of history.presentations) {
      if (presentation.door !== door || presentation.outcome === 'unknown') continue;
      const isDamaged = history.damages.some(
        damage => damage.door === door && damage.data === 'access' && damage.at <= presentation.answeredAt,
      );
      const violation = knowledge.check(presentation, isDamaged || presentation.isTimeUntrusted === true);
      if (violation !== null) violations.push(violation);
    }
  }
  return violations;
};
