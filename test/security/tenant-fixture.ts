import { randomBytes } from 'node:crypto';
import type { CreateDeviceRequest } from '@lintel/wire-protocol/rest/device';
import { insertClaimedHardware, insertDeviceLink, insertGrant, insertIncident } from '@lintel/cloud-bridge/testing';
import { type AdminClient, openAdminSession } from '../support/bridge/admin-client.ts';
import { createPausedRollout } from '../support/bridge/create-paused-rollout.ts';
import { createTestDevice, createTestSite, door } from '../support/bridge/site-fixtures.ts';
import type { TestOrganizationClient, TestBridge } from '../support/bridge/test-bridge.ts';

/** A date on which the schedule of each tenant has other times. */
export const EXCEPTION_DATE = '2040-12-25';

/** An organization with at least one object of every kind. */
export interface Tenant {
  /** In the texts of all its objects. */
  readonly marker: string;
  readonly client: TestOrganizationClient;
  readonly owner: AdminClient;
  readonly organizationId: string;
  /** One object by kind, such as `member`. */
  readonly ids: Readonly<Record<string, string>>;
  /** Values that are shown once, to this organization only. */
  readonly secrets: readonly string[];
}

const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start: 28_800, end: 64_800 }] }));

/** A random UID or hardware id, because both are unique across organizations. */
const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');

const createClaimedDevice = async (
  bridge: TestBridge,
  client: TestOrganizationClient,
  site_id: string,
  marker: string,
) => {
  const { storage } = bridge.services;
  const organization_id = client.organizationId;
  const hardware = `hw_${randomHex(8)}`;
  const { deviceId: device_id } = await createTestDevice(bridge, client, {
    site_id: site_id as CreateDeviceRequest['site_id'],
    hardware_id: hardware as never,
    name: `${marker} controller`,
  });
  await insertDeviceLink(bridge.services, { device_id, organization_id, serial: randomHex(8) });
  await storage.writer
    .insertInto('technician_pages')
    .values({
      device_id,
      organization_id,
      name: `${marker}.local`,
      url: `https://${marker}.local`,
      address: `https://${marker}.invalid`,
      fingerprint: randomHex(32),
    })
    .execute();
  return { device: device_id, hardware, spare_hardware: await insertClaimedHardware(bridge.services, organization_id) };
};

const createAlertMessages = async (
  bridge: TestBridge,
  organization_id: string,
  alert_rule_id: string,
): Promise<void> => {
  const { storage, newId } = bridge.services;
  const content = JSON.stringify({ event: 'test', text: organization_id });
  const result = {
    status: 'sent',
    attempts: 1,
    next_attempt_at: null,
    sent_at: bridge.now,
    error: null,
    is_test: 0,
  } as const;
  const message = { organization_id, alert_rule_id, content, channel: 'webhook', email: null, ...result } as const;
  await storage.writer
    .insertInto('alert_messages')
    .values([1, 2].map(() => ({ ...message, id: newId('alert_message'), created_at: bridge.now })))
    .execute();
};

const createAccountObjects = async (
  bridge: TestBridge,
  client: TestOrganizationClient,
  owner: AdminClient,
  marker: string,
) => {
  const { storage } = bridge.services;
  const { organizationId: organization_id, applicationId: oauth_application_id } = client;
  const { userId: account } = await openAdminSession(bridge, organization_id, null);
  const invitation = { email: `${marker}-${randomHex(4)}@example.test`, name: `${marker} user`, role: 'viewer' };
  const { id: user } = await owner.callOk('POST', '/users', invitation);
  await insertGrant(bridge.services, organization_id, oauth_application_id, account);
  await storage.writer
    .updateTable('oauth_applications')
    .set({ name: `${marker} application` })
    .where('id', '=', oauth_application_id)
    .execute();
  const { id: token } = await owner.callOk('POST', '/tokens', { name: `${marker} token`, scope: 'full_read_only' });
  const rule = { name: `${marker} rule`, kind: 'door_forced' };
  const { id: alert_rule } = await owner.callOk('POST', '/alert_rules', rule);
  // Lists have two pages of one object each.
  await owner.callOk('POST', '/tokens', { name: `${marker} second token`, scope: 'full_read_only' });
  await owner.callOk('POST', '/alert_rules', rule);
  await createAlertMessages(bridge, organization_id, alert_rule);
  const { id: session } = (await owner.callRoot('GET', '/sessions')).body.data[0]!;
  return {
    account,
    user,
    session,
    token,
    alert_rule,
    oauth_application: oauth_application_id,
    application: oauth_application_id,
  };
};

const createProduct = async (bridge: TestBridge, organization_id: string, marker: string): Promise<string> => {
  const { storage } = bridge.services;
  const { capabilities } = await storage.reader
    .selectFrom('products')
    .select('capabilities')
    .where('id', '=', 'virtual')
    .executeTakeFirstOrThrow();
  const row = { organization_id, id: `${marker}-board`, name: `${marker} board`, revision_id: 'a', capabilities };
  await storage.writer.insertInto('organization_products').values(row).execute();
  return row.id;
};

const createStockCard = async (bridge: TestBridge, reserved_for: string): Promise<string> => {
  const { storage, newId } = bridge.services;
  const id = newId('card');
  const codes = { uid: randomHex(7), printed_code: randomHex(7) };
  const card = { id, organization_id: null, is_deleted: 0, created_at: 0, metadata: '{}', name: '' } as const;
  await storage.writer
    .insertInto('cards')
    .values({ ...card, ...codes, reserved_for })
    .execute();
  return id;
};

const createDelivery = async (bridge: TestBridge, organization_id: string, webhook_id: string, event_id: string) => {
  const { storage, newId } = bridge.services;
  const id = newId('webhook_delivery');
  await storage.writer
    .insertInto('webhook_deliveries')
    .values({
      id,
      organization_id,
      webhook_id,
      event_id,
      created_at: bridge.now,
      position: 0,
      status: 'failed',
      attempts: 1,
      request_url: 'http://hook.invalid',
      response_status: null,
      response_body: null,
      note: null,
      awaits_receiver: 0,
      error: 'Unreachable',
      duration_ms: 1,
      last_attempt_at: bridge.now,
      next_attempt_at: null,
      tried_since: bridge.now,
      body: null,
    })
    .execute();
  return id;
};

/** Everything below one site and one member. */
const createObjects = async (
  bridge: TestBridge,
  client: TestOrganizationClient,
  owner: AdminClient,
  marker: string,
) => {
  const name = (what: string): string => `${marker} ${what}`;
  const post = async (path: string, body: object) => client.callOk('POST', path, body);
  const site = await createTestSite(bridge, client, { name: name('site') });
  const { id: tag } = await post('/tags', { name: name('tag') });
  const virtual = await createTestDevice(bridge, client, {
    site_id: site,
    name: name('device'),
    gadgets: [{ ...door, name: name('door') }],
  });
  const gadget = virtual.gadgetId;
  const claimed = await createClaimedDevice(bridge, client, site, marker);
  const { id: schedule } = await post('/schedules', { name: name('schedule'), weekdays });
  const permissions = [{ gadget_id: gadget }];
  const { id: member_group } = await post('/member_groups', { name: name('group'), permissions });
  const { id: second_group } = await post('/member_groups', { name: name('second group') });
  const { id: member } = await post('/members', { name: name('guest'), metadata: { note: marker } });
  const email = await post(`/members/${member}/emails`, { email: `${marker}@example.test` });
  const link = await post(`/members/${member}/magic_links`, {});
  const pin = await post(`/members/${member}/pins`, { length: 12 });
  const { id: member_card } = await post(`/members/${member}/cards`, { uid: randomHex(7) });
  const token = await post(`/members/${member}/tokens`, {});
  const association = await post(`/members/${member}/group_associations`, { member_group_id: member_group });
  const { id: card } = await post('/cards', { uid: randomHex(7), name: name('card') });
  const { id: gadget_trigger } = await post('/gadget_triggers', {
    source_type: 'state',
    source_gadget_id: gadget,
    source_state_id: 'unlocked',
    target_gadget_id: gadget,
    target_action_id: 'hold',
    metadata: { note: marker },
  });
  const webhook = await post('/webhooks', {
    url: 'http://hook.invalid',
    filter: [{ object_type: 'member' }],
    is_enabled: false,
    metadata: { note: marker },
  });
  const event = (await client.callOk('GET', `/events?object.member_id=${member}&verb=create`)).data[0]!.id;
  const ticket = await owner.callOk('POST', '/claim_tickets', { site_id: site });
  await owner.callOk('PUT', `/schedules/${schedule}/exceptions/${EXCEPTION_DATE}`, { ranges: [] });
  const [rolledOut, rollout] = await createPausedRollout(bridge, client);
  return {
    ids: {
      site,
      tag,
      gadget,
      ...claimed,
      virtual_device: virtual.deviceId,
      schedule,
      member_group,
      second_group,
      stock_card: await createStockCard(bridge, client.organizationId),
      member,
      member_email: email.id,
      member_magic_link: link.id,
      member_pin: pin.id,
      member_card,
      member_token: token.id,
      member_group_association: association.id,
      card,
      gadget_trigger,
      webhook: webhook.id,
      webhook_delivery: await createDelivery(bridge, client.organizationId, webhook.id, event),
      event,
      claim_ticket: ticket.id,
      release: rolledOut!,
      rollout: rollout!,
      incident: await insertIncident(bridge.services, client.organizationId, {
        kind: 'clock_ahead',
        details: JSON.stringify({ device_ids: [claimed.device], revoked_ids: [] }),
      }),
    },
    secrets: [
      link['link'],
      pin['pin'],
      token['token'],
      webhook['secret'],
      ticket['ticket'],
      ticket['code'],
    ] as string[],
  };
};

/** A second object of every list, for a cursor of the first page. */
const createSecondObjects = async (
  bridge: TestBridge,
  client: TestOrganizationClient,
  owner: AdminClient,
  tenant: Tenant,
) => {
  const { ids, marker } = tenant;
  const post = async (path: string, body: object) => client.callOk('POST', path, body);
  const { ids: more } = await createObjects(bridge, client, owner, `${marker}-2`);
  await openAdminSession(bridge, client.organizationId, 'owner');
  await post(`/members/${ids['member']}/emails`, { email: `${marker}-b@example.test` });
  await post(`/members/${ids['member']}/magic_links`, {});
  await post(`/members/${ids['member']}/pins`, { length: 12 });
  await post(`/members/${ids['member']}/cards`, { uid: randomHex(7) });
  await post(`/members/${ids['member']}/tokens`, {});
  await post(`/members/${ids['member']}/group_associations`, { member_group_id: more.member_group });
  await post(`/members/${more.member}/group_associations`, { member_group_id: ids['member_group'] });
  await createDelivery(bridge, client.organizationId, ids['webhook']!, more.event);
  await createProduct(bridge, client.organizationId, `${marker}-2`);
  const application = await bridge.newApplication(client.organizationId);
  await insertGrant(bridge.services, client.organizationId, application.applicationId);
};

export const createTenant = async (bridge: TestBridge, marker: string, { pages = 1 } = {}): Promise<Tenant> => {
  const client = await bridge.newOrganization();
  const { organizationId } = client;
  await bridge.services.storage.writer
    .updateTable('organizations')
    .set({ name: `${marker} organization` })
    .where('id', '=', organizationId)
    .execute();
  const owner = await openAdminSession(bridge, organizationId, 'owner');
  const { ids, secrets } = await createObjects(bridge, client, owner, marker);
  const tenant: Tenant = {
    marker,
    client,
    owner,
    organizationId,
    secrets,
    ids: {
      ...ids,
      ...(await createAccountObjects(bridge, client, owner, marker)),
      organization: organizationId,
      product: await createProduct(bridge, organizationId, marker),
    },
  };
  if (pages > 1) await createSecondObjects(bridge, client, owner, tenant);
  return tenant;
};
