import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertGrant, storeServedRevisions, tablesDeletedWithOrganization } from '@lintel/cloud-bridge/testing';
import { root } from '../architecture/read-sources-and-resolve-imports.ts';
import { requireProgram } from '../support/require-program.ts';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { FormBrowser } from '../support/bridge/form-browser.ts';
import { type TestOrganizationClient, TestBridge } from '../support/bridge/test-bridge.ts';
import { claimController } from '../support/devices/controller-site.ts';
import { createTestSite } from '../support/bridge/site-fixtures.ts';
import type { TestController } from '../support/devices/test-controller.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { requiredPython } from '../support/processes/pty.ts';
import { Terminal } from '../support/processes/lintel-terminal.ts';

const served = { revision: 1, digest: '', digest_key_id: 'k1', scope: '{"groups":[],"structure":{}}', served_at: 0 };

/** Tables that have rows of the installation, which expire by themselves. */
const ofInstallation = ['quota_counts', 'attempts', 'request_counts', 'task_leases', 'used_passkey_challenges'];

for (const engine of ['sqlite', 'postgres'] as const)
  describe(`lintel organization delete (${engine})`, { tags: engine === 'postgres' ? ['slow'] : [] }, () => {
    let bridge: TestBridge;
    let other: TestOrganizationClient;
    let otherController: TestController;
    let mqttUrl: string;

    const location = (): string[] => [
      '--data',
      bridge.dataDir,
      ...(bridge.database === undefined ? [] : ['--database', bridge.database]),
    ];
    const run = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await runLintel(...args, ...location(), '--json');
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout) as Record<string, unknown>;
    };

    /** All rows of the database, by table. */
    const readTables = async (): Promise<Record<string, string[]>> => {
      const { reader } = bridge.services.storage;
      const tables: Record<string, string[]> = {};
      for (const { name } of await reader.introspection.getTables()) {
        if (name.startsWith('events_') || ofInstallation.includes(name)) continue;
        const rows = await reader
          .selectFrom(name as 'members')
          .selectAll()
          .execute();
        tables[name] = rows.map(row => JSON.stringify(row)).toSorted();
      }
      return tables;
    };

    /** A hotel with rows in as many tables as possible. */
    const fillHotel = async () => {
      const { ids } = (await run('seed', join(root, 'docs/reference/hotel.json'))) as { ids: Record<string, string> };
      const organizationId = ids['hotel']!;
      const client = await bridge.newApplication(organizationId);
      const controller = await claimController(bridge, client, ids['main']!);
      const member = await client.callOk('POST', '/members', { name: 'Zoë' });
      await client.callOk('POST', `/members/${member.id}/pins`, { pin: '974123' });
      await client.callOk('POST', `/members/${member.id}/magic_links`, {});
      const webhook = { url: 'https://receiver.example.test/hook', filter: [{ object_type: 'member' }] };
      await client.callOk('POST', '/webhooks', webhook);
      await client.callOk('POST', '/members', { name: 'Ben' });
      const owner = await openAdminSession(bridge, organizationId, 'owner');
      await owner.callOk('PATCH', '/retention', { event_days: 90 });
      await owner.callOk('POST', '/alert_rules', {
        name: 'Forced',
        kind: 'door_forced',
        webhook: { url: 'https://chat.example.test', format: 'slack' },
      });
      await owner.callOk('POST', '/users', { email: 'new@example.com', role: 'viewer' });
      await new FormBrowser(bridge.app).logIn('admin@example.com', 'choose-your-own');
      return { organizationId, client, controller };
    };

    beforeAll(async () => {
      bridge = await TestBridge.open({ engine, isTicking: true, webhookSweepMs: 1e6 });
      other = await bridge.newOrganization();
      otherController = await claimController(bridge, other, await createTestSite(bridge, other));
      await other.callOk('POST', '/members', { name: 'Stays' });
      mqttUrl = `mqtt://127.0.0.1:${await bridge.devices.broker!.listen('127.0.0.1', 0)}`;
    });
    afterAll(() => bridge.close());

    it('leaves every table of the database as it was before the organization existed', async () => {
      const before = await readTables();
      const { organizationId } = await fillHotel();
      const filled = await readTables();
      const changed = Object.keys(filled).filter(name => filled[name]!.length > before[name]!.length);
      expect(changed.length).toBeGreaterThan(35);
      expect(changed.filter(name => !tablesDeletedWithOrganization.some(([table]) => table === name))).toEqual([]);
      const deleted = await run('organization', 'delete', organizationId, '--yes', '--force');
      expect(deleted).toMatchObject({ organization_id: organizationId, name: 'Hotel Sol' });
      expect(await readTables()).toEqual(before);
      expect(JSON.stringify(await run('organization', 'list'))).not.toContain(organizationId);
    });

    it('refuses claimed controllers without --force, and nothing of a controller that stays connected is stored', {
      tags: ['slow'],
    }, async () => {
      const { organizationId, controller, client } = await fillHotel();
      await controller.start(mqttUrl);
      expect(await runLintel('organization', 'delete', organizationId, '--yes', ...location())).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('1 controllers and gateways are claimed'),
      });
      await run('organization', 'delete', organizationId, '--yes', '--force');
      await controller.send('events', { v: 1, events: [controller.event({ kind: 'fault', fault: 'test' })] });
      await otherController.start(mqttUrl);
      const event = otherController.event({ kind: 'fault', fault: 'test' });
      await otherController.send('events', { v: 1, events: [event] });
      await expect.poll(async () => (await other.get(`/events/${event.id}`)).status).toBe(200);
      await storeServedRevisions(bridge.services, [
        { ...served, device_id: controller.deviceId, organization_id: organizationId },
        { ...served, device_id: otherController.deviceId, organization_id: other.organizationId },
      ]);
      const after = await readTables();
      const tablesWith = (id: string) => Object.keys(after).filter(name => after[name]!.join('\n').includes(id));
      expect([...tablesWith(organizationId), ...tablesWith(controller.deviceId)]).toEqual([]);
      expect(after['device_sync']).toHaveLength(1);
      // A bridge knows a token for a second.
      await expect.poll(async () => (await client.get('/members')).status).toBe(401);
      await controller.stop();
      await otherController.stop();
      // The commands of the next test run in this process: a transaction of the bridge would block them until their timeout.
      await expect.poll(() => bridge.devices.sessions.of(otherController.deviceId)).toBeUndefined();
      await bridge.devices.whenIdle();
    });

    it('keeps users of other organizations, and ends the access of its applications there', async () => {
      const { organizationId } = await fillHotel();
      const application = await bridge.newApplication(organizationId);
      const { storage } = bridge.services;
      const { organizationId: otherId } = other;
      const shared = await openAdminSession(bridge, organizationId, 'viewer');
      await storage.writer
        .insertInto('organization_users')
        .values({ organization_id: otherId, user_id: shared.userId, role: 'viewer', site_ids: '[]' })
        .execute();
      await insertGrant(bridge.services, otherId, application.applicationId);
      await run('organization', 'delete', organizationId, '--yes', '--force');
      const users = storage.reader.selectFrom('users').select('id').where('id', '=', shared.userId);
      expect(await users.execute()).toHaveLength(1);
      const grants = storage.reader
        .selectFrom('oauth_grants')
        .selectAll()
        .where('oauth_application_id', '=', application.applicationId);
      expect(await grants.execute()).toEqual([]);
      const { data } = await other.callOk('GET', '/events?object.type=organization&sort=recorded_at:desc');
      expect(data[0]).toMatchObject({ verb: 'edit', object: { organization_id: otherId } });
    });

    it('asks for a confirmation, and names an organization that does not exist', async () => {
      expect(await runLintel('organization', 'delete', other.organizationId, '--force', ...location())).toEqual({
        code: 1,
        stdout: '',
        stderr: 'This deletes Test with all its data. Nothing was changed. Add --yes to delete it\n',
      });
      expect((await other.get('/members')).status).toBe(200);
      expect(await runLintel('organization', 'delete', 'org_unknown', '--yes', ...location())).toMatchObject({
        code: 1,
        stderr: 'The organization org_unknown does not exist.\n',
      });
    });

    it('asks for the name on a terminal', async context => {
      requireProgram(context, requiredPython);
      const { organization_id: id } = await run('organization', 'create', '--name', 'Workshop');
      const terminal = await Terminal.run([80, 30], 'organization', 'delete', String(id), ...location());
      await terminal.waitFor('Name of the organization');
      terminal.type('Workshops\r');
      await terminal.waitFor('Enter Workshop, or stop with Ctrl-C.');
      terminal.type('Workshop\r');
      expect(await terminal.ended()).toMatchObject({ code: 0 });
      expect(terminal.written).toContain(`Workshop (${String(id)}) deleted`);
      await terminal.close();
      expect(JSON.stringify(await run('organization', 'list'))).not.toContain(id);
    });
  });
