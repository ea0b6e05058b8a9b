import { insertDeviceLink, insertIncident, loadFleetStatistics } from '@lintel/cloud-bridge/testing';
import { describe, expect, it } from 'vitest';
import { describeOnSqliteFirst } from '../support/bridge/describe-on-both-databases.ts';
import { waitUntil } from '../support/wait-until.ts';
import { FirmwareSite } from '../support/devices/firmware-site.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';

const METRICS_TOKEN = 'token-of-the-monitoring';
const CARD = '04a1b2c3d4e5f6';

describe.each(['sqlite', 'postgres'] as const)('metrics of a site with real controllers (%s)', engine => {
  it('count controllers, revisions, messages and the lag of events', async () => {
    const bridge = await TestBridge.open({ isTicking: true, engine, metricsToken: METRICS_TOKEN });
    const site = await FirmwareSite.open(bridge);
    try {
      const door = await site.claimController();
      await site.claimController();
      const group = await site.createGroup(door.gadgetId);
      await site.createMember(group, { uid: CARD });
      const statistics = () => loadFleetStatistics(bridge.services.storage, bridge.now);
      expect(await statistics()).toMatchObject({ connected: 0, offline: 2, behind: 2, openIncidents: 0 });
      door.start();
      await door.waitUntilSynced();
      door.running.reader.tap(CARD);
      await door.waitUntilEventsUploaded();
      await waitUntil(
        async () => (await statistics()).behind === 1,
        () => 'one controller to be current',
      );
      expect(await statistics()).toMatchObject({ connected: 1, offline: 1 });
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
      const { payload } = await bridge.app.inject({ url: '/metrics', headers });
      expect(payload).toMatch(/^lintel_database_up 1$/m);
      expect(payload).toMatch(/^lintel_controllers\{state="connected"\} 1$/m);
      expect(payload).toMatch(/^lintel_uplink_messages_total\{kind="events",result="accepted"\} [1-9]/m);
      expect(payload).toMatch(/^lintel_event_lag_seconds_count [1-9]/m);
      expect(payload).toMatch(/^lintel_database_query_duration_seconds_count [1-9]/m);
      for (const id of [door.deviceId, site.client.organizationId]) expect(payload).not.toContain(id);
    } finally {
      await site.close();
      await bridge.close();
    }
  });
});

describeOnSqliteFirst('fleet statistics', bridge => {
  it('count faults by kind, door alarms, incidents and webhooks', async () => {
    const { storage } = bridge().services;
    const { organizationId } = await bridge().newOrganization();
    const faults = ['reader:front', 'reader:back', 'tamper', 'made_up'].map(code => ({ code, since: '', message: '' }));
    const shared = {
      organization_id: organizationId,
      is_deleted: 0,
      created_at: 1,
      metadata: '{}',
      tag_ids: '[]',
    } as const;
    const place = { ...shared, site_id: 'sit_1', name: '' };
    await storage.writer
      .insertInto('devices')
      .values({
        ...place,
        id: 'dev_1',
        hardware_id: null,
        product_id: 'virtual',
        revision_id: null,
        input_rules: '[]',
        capabilities: '{}',
        status: JSON.stringify({ online: false, faults }),
        gateway_id: null,
      })
      .execute();
    await insertDeviceLink(bridge().services, { device_id: 'dev_1', organization_id: organizationId });
    const gadget = { ...place, device_id: 'dev_1', actions: '[]', states: '[]', signals: '[]' };
    await storage.writer
      .insertInto('gadgets')
      .values([
        { ...gadget, id: 'gad_1', state_id: 'forced' },
        { ...gadget, id: 'gad_2', state_id: 'closed' },
      ])
      .execute();
    await insertIncident(bridge().services, organizationId);
    await insertIncident(bridge().services, organizationId, { acknowledged_at: 2 });
    const { faults: counted, doorAlarms, ...rest } = await loadFleetStatistics(storage, 1);
    expect(Object.fromEntries(counted)).toEqual({ reader: 2, tamper: 1, other: 1 });
    expect(Object.fromEntries(doorAlarms)).toEqual({ forced: 1 });
    expect(rest).toMatchObject({
      offline: 1,
      connected: 0,
      openIncidents: 1,
      failingWebhooks: 0,
      pendingDeliveries: 0,
    });
  });
});
