import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  exportOrganizationQuickly,
  readSealedSecrets,
  tablesExcludedFromTransfer,
  transferredTables,
} from '@lintel/cloud-bridge/testing';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { FormBrowser } from '../support/bridge/form-browser.ts';
import { GuestPhone } from '../support/bridge/guest-phone.ts';
import { newTestDatabase } from '../support/bridge/postgres.ts';
import { TestOrganizationClient, TestBridge, type TestDatabaseEngine } from '../support/bridge/test-bridge.ts';
import { claimController } from '../support/devices/controller-site.ts';
import type { TestController } from '../support/devices/test-controller.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { root } from '../architecture/read-sources-and-resolve-imports.ts';

const PASSPHRASE = 'correct horse battery';
const LINE_SEPARATOR = '\u2028';

const lists = [
  '/organization',
  '/sites',
  '/devices',
  '/gadgets',
  '/gadget_triggers',
  '/member_groups',
  '/members?is_deleted=any',
  '/schedules',
  '/cards',
  '/tags',
  '/webhooks',
  '/events?sort=recorded_at:asc&limit=100',
];
const memberLists = ['emails', 'magic_links', 'pins', 'cards', 'tokens', 'group_associations'];

/** What the API answers about an organization. */
const readOrganization = async (client: TestOrganizationClient): Promise<Record<string, unknown>> => {
  const answers: Record<string, unknown> = {};
  const read = async (path: string) => {
    answers[path] = await client.callOk('GET', path);
  };
  for (const path of lists) await read(path);
  const { data: members } = await client.callOk('GET', '/members');
  for (const { id } of members) for (const name of memberLists) await read(`/members/${id}/${name}`);
  const { data: webhooks } = await client.callOk('GET', '/webhooks');
  for (const { id } of webhooks) await read(`/webhooks/${id}/deliveries`);
  return answers;
};

const testTransfer = (from: TestDatabaseEngine, to: TestDatabaseEngine): void => {
  let folder: string;
  let file: string;
  let source: TestBridge;
  let target: TestBridge | undefined;
  let client: TestOrganizationClient;
  let ids: Record<string, string>;
  let controller: TestController;
  let before: Awaited<ReturnType<typeof readOrganization>>;
  let secretsBefore: Record<string, string>;
  let imported: Record<string, unknown>;

  const databaseFor = (engine: TestDatabaseEngine) => (engine === 'postgres' ? newTestDatabase() : undefined);
  const locationOf = (dataDir: string, database: string | undefined): string[] => [
    '--data',
    dataDir,
    ...(database === undefined ? [] : ['--database', database]),
  ];
  const run = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await runLintel(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const passphrase = () => ['--passphrase-file', join(folder, 'passphrase')];

  const fillHotel = async (): Promise<void> => {
    const location = locationOf(source.dataDir, source.database);
    ids = (await run('seed', join(root, 'docs/reference/hotel.json'), ...location))['ids'] as Record<string, string>;
    client = await source.newApplication(ids['hotel']!);
    controller = await claimController(source, client, ids['main']!);
    const url = `mqtt://127.0.0.1:${await source.devices.broker!.listen('127.0.0.1', 0)}`;
    const member = await client.callOk('POST', '/members', { name: `Zoë${LINE_SEPARATOR}"Ann"\n` });
    await client.callOk('POST', `/members/${member.id}/pins`, { pin: '974123' });
    await client.callOk('POST', `/members/${member.id}/magic_links`, {});
    const deleted = await client.callOk('POST', '/members', { name: 'Deleted' });
    await client.callOk('POST', `/members/${deleted.id}/pins`, { pin: '86420' });
    await client.callOk('DELETE', `/members/${deleted.id}`);
    const webhook = { url: 'https://receiver.example.test/hook', filter: [{ object_type: 'member' }] };
    await client.callOk('POST', '/webhooks', webhook);
    const owner = await openAdminSession(source, client.organizationId, 'owner');
    const alert = {
      name: 'Forced',
      kind: 'door_forced',
      webhook: { url: 'https://chat.example.test', format: 'slack' },
    };
    await owner.callOk('POST', '/alert_rules', alert);
    await controller.start(url);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lintel-transfer-'));
    file = join(folder, 'hotel.export');
    writeFileSync(join(folder, 'passphrase'), `${PASSPHRASE}\n`);
    source = await TestBridge.open({ engine: from });
    await fillHotel();
    before = await readOrganization(client);
    secretsBefore = await readSealedSecrets(source.services);
    const { services, dataDir: sourceDir } = source;
    const options = {
      organizationId: ids['hotel']!,
      out: file,
      hasEvents: true,
      passphrase: PASSPHRASE,
    };
    await exportOrganizationQuickly({ services, dataDir: sourceDir, ...options });
    await controller.stop();

    const dataDir = join(folder, 'target');
    const database = await databaseFor(to);
    mkdirSync(dataDir, { mode: 0o700 });
    for (const name of ['ca.pem', 'ca-key.pem']) copyFileSync(join(source.dataDir, name), join(dataDir, name));
    imported = await run('organization', 'import', file, ...locationOf(dataDir, database), ...passphrase());
    target = await TestBridge.open({ dataDir, database, isTicking: true });
    client = new TestOrganizationClient(target.bridge, client.organizationId, client.applicationId, client.token);
  });
  afterAll(async () => {
    await source.close();
    await target?.close();
    rmSync(folder, { recursive: true });
  });

  it('keeps all answers of the API, with the same ids and tokens', async () => {
    expect(await readOrganization(client)).toEqual(before);
    expect(before['/members?is_deleted=any']).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ name: `Zoë${LINE_SEPARATOR}"Ann"\n` })]),
    });
  });

  it('seals the secrets with the key of the target, and the file contains none of them', async () => {
    expect(await readSealedSecrets(target!.services)).toEqual(secretsBefore);
    expect(Object.keys(secretsBefore).length).toBeGreaterThanOrEqual(8);
    expect(target!.services.masterKeys.checkValue(1)).not.toBe(source.services.masterKeys.checkValue(1));
    const bytes = readFileSync(file);
    for (const text of ['974123', 'receiver.example.test', 'lintel-organization'])
      expect(bytes.includes(text)).toBe(false);
  });

  it('keeps PINs reserved, and magic links open', async () => {
    const { id } = await client.callOk('POST', '/members', { name: 'Ben' });
    const createPin = async (pin: string) => (await client.call('POST', `/members/${id}/pins`, { pin })).status;
    const countReservations = ({ services: { storage } }: TestBridge) =>
      Promise.all(
        (['pin_claims', 'pin_prefixes'] as const).map(
          async table => (await storage.reader.selectFrom(table).select('pin_id').execute()).length,
        ),
      );
    expect(await countReservations(target!)).toEqual(await countReservations(source));
    expect([await createPin('974123'), await createPin('86420')]).toEqual([400, 200]);
    const [url] = Object.entries(secretsBefore).flatMap(([name, token]) =>
      name.startsWith('member_magic_links') ? [`/g/${token}`] : [],
    );
    expect((await new GuestPhone(target!).openLink(url!)).status).toBe(200);
  });

  it('keeps passwords, and roles', async () => {
    expect((await new FormBrowser(target!.app).logIn('admin@example.com', 'choose-your-own')).status).toBe(303);
    const { stdout } = await runLintel(
      'user',
      'list',
      '--organization',
      ids['hotel']!,
      '--json',
      ...locationOf(target!.dataDir, target!.database),
    );
    const { users } = JSON.parse(stdout) as { users: { email: string; role: string }[] };
    expect(users).toEqual(
      expect.arrayContaining([expect.objectContaining({ email: 'desk@example.com', role: 'front_desk' })]),
    );
  });

  it('keeps the keys of the seed file and the card stock', async () => {
    const location = locationOf(target!.dataDir, target!.database);
    const seeded = await run('seed', join(root, 'docs/reference/hotel.json'), ...location);
    expect(seeded).toMatchObject({ ids, secrets: {} });
    const stock = ({ services }: TestBridge) =>
      services.storage.reader
        .selectFrom('cards')
        .select(['id', 'reserved_for', 'printed_code'])
        .orderBy('id')
        .execute();
    expect(await stock(target!)).toEqual(await stock(source));
    expect(await stock(target!)).toContainEqual(expect.objectContaining({ reserved_for: ids['hotel'] }));
  });

  it('keeps controllers claimed if the target has the same certificate authority', async () => {
    expect(imported).toMatchObject({ claimed_devices: 1, claims_kept: true });
    const { id } = await client.callOk('POST', '/members', { name: 'Carla' });
    await controller.start(`mqtt://127.0.0.1:${await target!.devices.broker!.listen('127.0.0.1', 0)}`);
    const { data: groups } = await client.callOk('GET', '/member_groups');
    const { data: gadgets } = await client.callOk('GET', `/gadgets?device_id=${controller.deviceId}`);
    const permissions = [{ gadget_id: gadgets[0]!.id, action_id: 'open' }];
    await client.callOk('PATCH', `/member_groups/${groups[0]!.id}`, { permissions });
    await client.callOk('POST', `/members/${id}/group_associations`, { member_group_id: groups[0]!.id });
    await controller.waitUntil(() => controller.entries.has(`member ${id}`), 'the new member');
    await controller.stop();
  });

  it('names the application that needs a new secret, because its hash depends on the key of the source', () => {
    expect(imported).toMatchObject({ applications_without_secret: [ids['pms']], unknown_applications: [] });
  });
};

describe('lintel organization export and import, from SQLite to PostgreSQL', () => {
  testTransfer('sqlite', 'postgres');
});
describe('lintel organization export and import, from PostgreSQL to SQLite', { tags: ['slow'] }, () => {
  testTransfer('postgres', 'sqlite');
});

/** Tables whose rows have an organization and stay behind nevertheless. */
const leftBehind = ['guest_sessions', 'idempotency_keys', 'pin_prefixes', 'releases', 'rollout_devices', 'rollouts'];

describe.each(['sqlite', 'postgres'] as const)('tables of an exported organization (%s)', engine => {
  it('are all tables of the database, except those that are listed as excluded', async () => {
    const bridge = await TestBridge.open({ engine });
    try {
      const found = await bridge.services.storage.reader.introspection.getTables();
      const tables = found.filter(({ name }) => name !== 'schema_migrations' && !name.startsWith('events_'));
      const transferred = transferredTables.map(([name]) => name as string);
      expect(tables.map(({ name }) => name).toSorted()).toEqual(
        [...transferred, ...tablesExcludedFromTransfer].toSorted(),
      );
      const excluded = tables.filter(
        ({ name, columns }) => !transferred.includes(name) && columns.some(column => column.name === 'organization_id'),
      );
      expect(excluded.map(({ name }) => name).toSorted()).toEqual(leftBehind);
    } finally {
      await bridge.close();
    }
  });
});
