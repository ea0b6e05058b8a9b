import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestOrganizationClient, TestBridge } from '../../support/bridge/test-bridge.ts';

/** What the API returned when the database was written. */
export interface GoldenContents {
  readonly organization_id: string;
  readonly application_id: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

export const goldenFolder = join(import.meta.dirname, 'golden');

export const goldenSeed = {
  organization: { key: 'org', name: 'Golden Hotel', whitelabel: true },
  users: [{ key: 'admin', email: 'admin@example.test', password: 'choose-your-own', role: 'owner' }],
  applications: [{ key: 'app', name: 'PMS', redirect_uris: ['http://localhost/cb'] }],
  tags: [{ key: 'vip', name: 'VIP', color: '#ff0000' }],
  sites: [
    { key: 'site', name: 'Main', timezone: 'Europe/Madrid', geo: { location: { lat: 41.4, lng: 2.2 }, radius: 100 } },
  ],
  devices: [
    {
      key: 'device',
      site: 'site',
      name: 'Front door',
      product_id: 'virtual',
      input_rules: [{ code: '', gadget: 'door', action_id: 'open' }],
    },
  ],
  gadgets: [
    { key: 'door', device: 'device', name: 'Front door', actions: [{ id: 'open', name: 'Open' }] },
    {
      key: 'light',
      device: 'device',
      name: 'Light',
      actions: [{ id: 'on', name: 'On' }],
      states: [{ id: 'lit', name: 'Lit' }],
    },
  ],
  schedules: [
    {
      key: 'day',
      name: 'Day',
      weekdays: Array.from({ length: 7 }, () => ({ ranges: [{ start: 28_800, end: 72_000 }] })),
    },
  ],
  member_groups: [
    { key: 'guests', name: 'Guests', permissions: [{ gadget: 'door', action_id: 'open', schedule: 'day' }] },
  ],
  members: [
    {
      key: 'ann',
      name: 'Ann',
      groups: ['guests'],
      pins: ['2580'],
      cards: [{ uid: '04a1b2c3d4e5f6' }],
      emails: ['ann@example.test'],
    },
    { key: 'bob', name: 'Bób ☂', groups: ['guests'] },
  ],
};

const lists = [
  '/members',
  '/member_groups',
  '/schedules',
  '/sites',
  '/devices',
  '/gadgets',
  '/tags',
  '/cards',
  '/webhooks',
];
const memberLists = ['pins', 'cards', 'emails', 'group_associations', 'magic_links'];

/** Reads every object through the API. */
export const readEverything = async (client: TestOrganizationClient, ids: Readonly<Record<string, string>>) => {
  const responses: Record<string, unknown> = {};
  const member = `/members/${ids['ann']}`;
  const [pin] = (await client.callOk('GET', `${member}/pins`)).data;
  const reveal = `${member}/pins/${pin!.id}/reveal`;
  // Before the events, because it logs one.
  const revealed = await client.callOk('POST', reveal, {});
  for (const path of [...lists, '/events', ...memberLists.map(name => `${member}/${name}`)])
    responses[path] = (await client.callOk('GET', `${path}?limit=100`)).data;
  return { ...responses, [reveal]: revealed };
};

export const readGoldenContents = (version: string, engine: string): GoldenContents =>
  JSON.parse(readFileSync(join(goldenFolder, version, `${engine}.json`), 'utf8')) as GoldenContents;

/** A client of the application that the golden database contains. */
export const goldenClient = (bridge: TestBridge, { organization_id, application_id }: GoldenContents) =>
  bridge.client(organization_id, application_id, 'full_read_write');
