import { DAY_MS } from '@lintel/access-core/durations';
import { Client } from 'undici';
import { EVENT_EXPAND_NAMES } from '@lintel/console/testing';
import { padDigits } from '../api-fixture/seed-database.ts';
import { p95, scaled } from '../harness/benchmark-types-and-statistics.ts';
import type { OrganizationLogin, PreparedOrganizations } from './prepare-organizations.ts';
import { doorId } from './seed-activity.ts';

const ROUNDS = scaled(40, 2);

/** The 95th percentile in milliseconds, with the full and with the empty organization. */
interface RequestTimes {
  readonly full: number;
  readonly empty: number;
}

const isoTime = (beforeMs: number): string => new Date(Date.now() - beforeMs).toISOString();

const events = (query: Readonly<Record<string, string | number>> = {}): string =>
  `/events?${new URLSearchParams({ ...query, expand: EVENT_EXPAND_NAMES } as Record<string, string>).toString()}`;

const statistics = (days: number, bucket: 'hour' | 'day'): string => {
  const from = encodeURIComponent(isoTime(days * DAY_MS));
  return `/statistics/activity?from=${from}&to=${encodeURIComponent(isoTime(0))}&bucket=${bucket}&timezone=Europe%2FMadrid`;
};

const member = `mem_${padDigits(4711)}`;
const deny = { verb: 'deny' };

/** What the screens request when a person opens them, or changes a filter. */
const interactions: Readonly<Record<string, readonly string[]>> = {
  activity: [events()],
  by_person: [events({ 'subject.member_id': member })],
  by_door: [events({ 'object.gadget_id': doorId(7) })],
  openings: [events({ verb: 'use', 'object.type': 'gadget_action' })],
  denials: [events(deny)],
  denials_by_door: [events({ ...deny, 'object.gadget_id': doorId(50) })],
  /** This door has openings, and no denials. */
  denials_by_other_door: [events({ ...deny, 'object.gadget_id': doorId(1) })],
  /** No event has this reason. */
  denials_by_reason: [events({ ...deny, reason: 'locked_out' })],
  door_states: [events({ 'object.type': 'gadget_state' })],
  edits: [events({ verb: 'edit' })],
  /** All are two years old. */
  revealed_pins: [events({ verb: 'reveal' })],
  last_week: [events({ 'occurred_at:ge': isoTime(7 * DAY_MS) })],
  day_a_year_ago: [events({ 'occurred_at:ge': isoTime(366 * DAY_MS), 'occurred_at:lt': isoTime(365 * DAY_MS) })],
  chart_of_day: [statistics(1, 'hour')],
  chart_of_week: [statistics(7, 'day')],
  home: ['/attention', '/gadgets', '/devices', events({ limit: 8 }), statistics(1, 'hour')],
};

type Get = (login: OrganizationLogin, path: string) => Promise<{ readonly cursor_next?: string }>;

const timed = async (get: Get, login: OrganizationLogin, paths: readonly string[]): Promise<number> => {
  const started = performance.now();
  await Promise.all(paths.map(path => get(login, path)));
  return performance.now() - started;
};

const measure = async (
  get: Get,
  { full, empty }: PreparedOrganizations,
  paths: readonly string[],
): Promise<RequestTimes> => {
  const times = { full: [] as number[], empty: [] as number[] };
  for (const login of [full, empty]) await timed(get, login, paths);
  for (let round = 0; round < ROUNDS; round++) {
    times.empty.push(await timed(get, empty, paths));
    times.full.push(await timed(get, full, paths));
  }
  return { full: p95(times.full), empty: p95(times.empty) };
};

/** The requests of the activity screen and of home, by interaction. */
export const measureActivity = async (
  port: number,
  organizations: PreparedOrganizations,
): Promise<Readonly<Record<string, RequestTimes>>> => {
  const client = new Client(`http://127.0.0.1:${port}`, { pipelining: 6, bodyTimeout: 0, headersTimeout: 0 });
  const get: Get = async ({ organizationId, cookie }, path) => {
    const { statusCode, body } = await client.request({
      method: 'GET',
      path: `/admin/v1/organizations/${organizationId}${path}`,
      headers: { cookie },
    });
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${await body.text()}`);
    return (await body.json()) as { readonly cursor_next?: string };
  };
  try {
    const { cursor_next: cursor = '' } = await get(organizations.full, events());
    const results: Record<string, RequestTimes> = {};
    for (const [name, paths] of Object.entries(interactions)) results[name] = await measure(get, organizations, paths);
    const { empty } = results['activity']!;
    const next: number[] = [];
    for (let round = 0; round < ROUNDS; round++) next.push(await timed(get, organizations.full, [events({ cursor })]));
    return { ...results, next_page: { full: p95(next), empty } };
  } finally {
    await client.close();
  }
};
