import type { ApiEvent, Presentation, RoundHistory, Violation } from './round-history-types.ts';

/** Between the clock of a controller that knows the time and the clock of the campaign. */
const CLOCK_TOLERANCE_MS = 10_000;

const checkTime = (presentation: Presentation, { id, createdAt }: ApiEvent): Violation | null => {
  const { event, presentedAt, answeredAt } = presentation;
  if (event === null || !event.isTimeTrusted) return null;
  const isShifted =
    event.occurredAt < presentedAt - CLOCK_TOLERANCE_MS || event.occurredAt > answeredAt + CLOCK_TOLERANCE_MS;
  if (createdAt === event.occurredAt && !isShifted) return null;
  const times = `happened ${presentedAt}, recorded ${event.occurredAt}, API ${createdAt}`;
  return { kind: 'event_time_changed', detail: `${id}: ${times}` };
};

const isReportedLost = (history: RoundHistory, door: string, sequence: number): boolean =>
  history.damages.some(damage => damage.door === door && damage.data === 'events') &&
  history.api.some(
    event => event.door === door && event.lost !== null && event.lost.first <= sequence && sequence <= event.lost.last,
  );

const checkGrant = (
  history: RoundHistory,
  presentation: Presentation,
  recorded: ReadonlyMap<string, readonly ApiEvent[]>,
): Violation | null => {
  const { event, door, card } = presentation;
  if (event === null)
    return presentation.outcome === 'granted'
      ? { kind: 'grant_without_event', detail: `card ${card} at ${door}` }
      : null;
  const copies = recorded.get(event.id) ?? [];
  if (copies.length > 1) return { kind: 'event_duplicated', detail: `${event.id} of ${door}` };
  if (copies.length === 1) return checkTime(presentation, copies[0]!);
  return isReportedLost(history, door, event.sequence)
    ? null
    : { kind: 'event_lost', detail: `${event.id}, number ${event.sequence} of ${door}` };
};

/** A controller that is killed may have recorded one use that it could not report any more. */
const checkUnobserved = (history: RoundHistory): Violation[] => {
  const known = new Set(history.presentations.map(({ event }) => event?.id));
  return [...new Set(history.api.map(({ door }) => door))].flatMap(door => {
    const unknown = history.presentations.filter(one => one.door === door && one.outcome === 'unknown');
    const unobserved = history.api.filter(event => event.door === door && event.isUse && !known.has(event.id));
    if (unobserved.length <= unknown.length) return [];
    const detail = `${unobserved.length} uses of ${door} for ${unknown.length} presentations without an answer`;
    return [{ kind: 'event_unexplained' as const, detail }];
  });
};

const checkFollower = (name: string, ids: readonly string[], api: readonly ApiEvent[]): Violation[] => {
  const violations: Violation[] = [];
  const positions = new Map(api.map(({ id }, index) => [id, index]));
  const seen = new Set<string>();
  let last = -1;
  for (const id of ids) {
    const position = positions.get(id);
    if (position === undefined) continue;
    if (seen.has(id)) violations.push({ kind: 'follower_duplicate', detail: `${name}: ${id}` });
    else if (position < last) violations.push({ kind: 'follower_order', detail: `${name}: ${id}` });
    last = Math.max(last, position);
    seen.add(id);
  }
  const missing = api.filter(({ id }) => !seen.has(id));
  if (missing.length > 0)
    violations.push({ kind: 'follower_gap', detail: `${name}: ${missing.length}, first ${missing[0]!.id}` });
  return violations;
};

/** Every granted use is in the API once with its time, in each webhook, and in order at each client that follows the log. */
export const checkEvents = (history: RoundHistory): Violation[] => {
  const recorded = Map.groupBy(history.api, ({ id }) => id);
  const violations = history.presentations.flatMap(one => checkGrant(history, one, recorded) ?? []);
  violations.push(...checkUnobserved(history));
  for (const [name, ids] of Object.entries(history.followers))
    violations.push(...checkFollower(name, ids, history.api));
  for (const [name, ids] of Object.entries(history.webhooks))
    for (const { id, isUse } of history.api)
      if (isUse && !ids.has(id)) violations.push({ kind: 'webhook_missing', detail: `${name}: ${id}` });
  return violations;
};
