import { readVerifiedTechnicianPass } from '@lintel/wire-protocol/claiming/technician-pass';
import { toBase64url } from '@lintel/wire-protocol/encoding/base64url';
import { mqttMessageDefinitions } from '@lintel/wire-protocol/mqtt/message-definitions';
import { type DeviceEvent, deviceEventKinds } from '@lintel/wire-protocol/mqtt/messages/events';
import { uplinkMessageKinds, type UplinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';
import { beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { describeOnBothDatabases } from '../support/bridge/describe-on-both-databases.ts';
import { createTestSite } from '../support/bridge/site-fixtures.ts';
import type { TestBridge } from '../support/bridge/test-bridge.ts';
import { claimController, ControllerSite } from '../support/devices/controller-site.ts';
import type { TestController } from '../support/devices/test-controller.ts';
import { technicianKey } from '../support/technician/technician-key.ts';

/**
 * What a field of an uplink message may say.
 * own: a fact about the sender. request: belongs to a request of the bridge to the sender. signed: counts with a signature.
 * checked: names something that the bridge compares with what it knows, see the tests below.
 */
type Statement = 'own' | 'request' | 'signed' | 'checked';

const eventFields: Readonly<Record<string, Statement>> = {
  id: 'checked',
  sequence: 'own',
  epoch: 'own',
  kind: 'checked',
  occurred_at: 'checked',
  time_trusted: 'own',
  device_time: 'own',
  'subject.member_id': 'checked',
  'subject.member_email_id': 'checked',
  'subject.member_magic_link_id': 'checked',
  'subject.member_pin_id': 'checked',
  'subject.member_card_id': 'checked',
  'subject.member_token_id': 'checked',
  'subject.user_id': 'checked',
  'subject.oauth_application_id': 'checked',
  'subject.access_method': 'checked',
  'subject.pass': 'signed',
  'subject.request_id': 'signed',
  reader_device_id: 'checked',
  peer_request: 'signed',
  gadget_id: 'checked',
  gadget_action_id: 'checked',
  gadget_state_id: 'own',
  gadget_signal_id: 'own',
  gadget_trigger_id: 'checked',
  reason: 'checked',
  'lost.at_most': 'own',
  'lost.epoch': 'own',
  'lost.first': 'own',
  'lost.last': 'own',
  'lost.from': 'own',
  'lost.to': 'own',
  request_id: 'signed',
  fault: 'own',
  detail: 'own',
};

const within = (path: string, fields: Readonly<Record<string, Statement>>): Record<string, Statement> =>
  Object.fromEntries(Object.entries(fields).map(([name, statement]) => [`${path}.${name}`, statement]));

/** Every field of every uplink message. A new kind or field fails until it is declared here. */
const statements: Readonly<Record<UplinkMessageKind, Readonly<Record<string, Statement>>>> = {
  hello: {
    speaks: 'own',
    firmware: 'own',
    product_id: 'own',
    'product.revision_id': 'own',
    'product.name': 'own',
    'product.capabilities': 'own',
    session_nonce: 'own',
    serial: 'own',
    digest_key_id: 'own',
    'snapshot.revision': 'own',
    'snapshot.digest': 'own',
    'resume.revision': 'own',
    'resume.chunk': 'own',
    accepts_open_snapshots: 'own',
    event_sequence: 'own',
    acknowledged_sequence: 'own',
    down_counter: 'own',
    revoke_counter: 'own',
    'clock.time': 'own',
    'clock.trusted': 'own',
    'clock.source': 'own',
  },
  goodbye: { session_nonce: 'own', reason: 'own' },
  // Devices of the site of a gateway. Each of them signs its own messages.
  'connected-devices': { devices: 'checked' },
  events: within('events', eventFields),
  status: {
    at: 'own',
    mains_present: 'own',
    battery_present: 'own',
    battery_charging: 'own',
    battery_percent: 'own',
    waiting_events: 'own',
    'faults.code': 'own',
    'faults.since': 'own',
    'faults.message': 'own',
    'technician.name': 'own',
    'technician.url': 'own',
    'technician.address': 'own',
    'technician.fingerprint': 'own',
  },
  state: { 'gadgets.gadget_id': 'checked', 'gadgets.state_id': 'own', 'gadgets.since': 'own' },
  'action-result': { request_id: 'request', outcome: 'own', reason: 'own', event_id: 'request' },
  'sync-request': {
    'have.revision': 'own',
    'have.digest': 'own',
    'resume.revision': 'own',
    'resume.chunk': 'own',
    ahead: 'own',
    revoke_counter: 'own',
  },
  'active-revision': { revision: 'own', digest: 'own', at: 'own' },
  'time-request': {
    nonce: 'own',
    ...within('position', {
      session_nonce: 'own',
      'snapshot.revision': 'own',
      'snapshot.digest': 'own',
      acknowledged_sequence: 'own',
      down_counter: 'own',
      revoke_counter: 'own',
    }),
  },
  'rules-changed': {
    base_revision: 'own',
    edited_at: 'own',
    pass_id: 'signed',
    user_id: 'checked',
    oauth_application_id: 'checked',
    pass: 'signed',
    request_id: 'signed',
    input_rules: 'checked',
  },
  'rules-copy': {
    copy_id: 'own',
    step: 'own',
    asked_at: 'own',
    pass_id: 'signed',
    user_id: 'checked',
    oauth_application_id: 'checked',
    pass: 'signed',
    request_id: 'signed',
    to: 'checked',
    input_rules: 'checked',
    previous: 'checked',
    confirm_within_s: 'own',
  },
  'site-request': {},
  revocations: { frames: 'signed' },
  'update-report': { rollout_id: 'request', state: 'own', percent: 'own', running: 'own', reason: 'own' },
  'technician-answer': {
    request_id: 'request',
    part: 'own',
    parts: 'own',
    status: 'own',
    headers: 'own',
    body: 'own',
  },
  'technician-live': { session_nonce: 'own', first: 'own', 'happenings.type': 'own' },
  // The controller that receives a request of another one verifies it.
  'peer-hello': { request_id: 'signed' },
  'peer-nonce': { request_id: 'signed', nonce: 'signed' },
  'peer-request': {
    request_id: 'signed',
    nonce: 'signed',
    deadline_ms: 'signed',
    gadget_id: 'signed',
    action_id: 'signed',
    occurred_at: 'signed',
    time_trusted: 'signed',
    ...within('subject', {
      member_id: 'signed',
      member_email_id: 'signed',
      member_magic_link_id: 'signed',
      member_pin_id: 'signed',
      member_card_id: 'signed',
      member_token_id: 'signed',
      user_id: 'signed',
      oauth_application_id: 'signed',
      access_method: 'signed',
    }),
    ...within('trigger', { gadget_trigger_id: 'signed', depth: 'signed' }),
  },
  'peer-answer': {
    request_id: 'signed',
    outcome: 'signed',
    reason: 'signed',
    event_id: 'signed',
    next_nonce: 'signed',
  },
};

interface SchemaDefinition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
}

/** The paths of all fields that hold a value. */
const fieldsOf = (schema: z.ZodType, path = ''): string[] => {
  const { type, shape, element, innerType } = schema.def as unknown as SchemaDefinition;
  if (type === 'object')
    return Object.entries(shape!).flatMap(([name, field]) => fieldsOf(field, path === '' ? name : `${path}.${name}`));
  if (type === 'array') return fieldsOf(element!, path);
  return innerType === undefined ? [path] : fieldsOf(innerType, path);
};

describe('declarations of what uplink messages say', () => {
  it.each(uplinkMessageKinds)('names every field of %s', kind => {
    const fields = fieldsOf(mqttMessageDefinitions[kind].schema).filter(field => field !== 'v');
    expect(Object.keys(statements[kind]).toSorted()).toEqual(fields.toSorted());
  });
});

const rowsOf = (bridge: TestBridge, ids: readonly string[]) =>
  bridge.services.storage.reader.selectFrom('events').selectAll().where('id', 'in', ids).execute();

/** A stolen controller and everything around it that is not its own. */
const openTheft = async (bridge: TestBridge) => {
  const site = await ControllerSite.openConnected(bridge);
  const { client, siteId, controller } = site;
  const { organizationId } = client;
  const neighbor = await claimController(bridge, client, siteId);
  const otherSiteId = await createTestSite(bridge, client);
  const remote = await claimController(bridge, client, otherSiteId);
  const gadgetOf = async ({ deviceId }: TestController): Promise<string> =>
    (await client.callOk('GET', `/gadgets?device_id=${deviceId}`)).data[0]!.id;
  const [neighborDoor, remoteDoor] = [await gadgetOf(neighbor), await gadgetOf(remote)];
  const { id: remoteGroup } = await client.callOk('POST', '/member_groups', {
    name: 'Remote',
    permissions: [{ gadget_id: remoteDoor }],
  });
  const member = await site.createMember([site.groupId], '472911');
  const pinOf = async (id: string, of = client) => (await of.callOk('GET', `/members/${id}/pins`)).data[0]!.id;
  const stranger = await site.createMember([remoteGroup], '583022');
  const { id: trigger } = await client.callOk('POST', '/gadget_triggers', {
    source_type: 'signal',
    source_gadget_id: remoteDoor,
    source_signal_id: 'forced',
    target_gadget_id: remoteDoor,
    target_action_id: 'open',
  });
  const owner = await openAdminSession(bridge, organizationId, 'owner');
  const other = await ControllerSite.open(bridge);
  const otherMember = await other.createMember([other.groupId], '694133');
  const issuePass = async (to: ControllerSite, by: typeof owner, site_id = to.siteId): Promise<string> => {
    const { body } = await by.call('POST', '/technician_passes', { site_id, public_key: technicianKey.publicKey });
    return String(body['pass']);
  };
  const otherOwner = await openAdminSession(bridge, other.client.organizationId, 'owner');
  const foreign = {
    neighbor: neighbor.deviceId,
    remote: remote.deviceId,
    otherDevice: other.controller.deviceId,
    neighborDoor,
    remoteDoor,
    otherDoor: other.gadgetId,
    trigger,
    stranger,
    strangerPin: await pinOf(stranger),
    otherMember,
    otherPin: await pinOf(otherMember, other.client),
    owner: owner.userId,
    otherOwner: otherOwner.userId,
    application: client.applicationId,
    otherApplication: other.client.applicationId,
    unknownMember: bridge.services.newId('member'),
  };
  const passes = {
    otherSite: await issuePass(site, owner, otherSiteId),
    otherOrganization: await issuePass(other, otherOwner),
  };
  await site.waitUntilMemberCached(member);
  return { site, controller, neighbor, other, owner, member, pin: await pinOf(member), foreign, passes, issuePass };
};
type Theft = Awaited<ReturnType<typeof openTheft>>;

/** Values of other owners, by the field of an event that can name them. */
const foreignEventValues = ({ site, other, foreign, passes, member, neighbor }: Theft): Record<string, object[]> => {
  const own = { gadget_id: site.gadgetId, gadget_action_id: 'open' };
  const doors = [foreign.neighborDoor, foreign.remoteDoor, foreign.otherDoor];
  const request = (signer: TestController, given: object = {}) =>
    toBase64url(
      signer.encode(
        'peer-request',
        {
          v: 1,
          request_id: 'r',
          nonce: 'A'.repeat(22),
          deadline_ms: 1000,
          gadget_id: site.gadgetId,
          action_id: 'open',
          occurred_at: site.bridge.now,
          time_trusted: true,
          subject: { member_id: member },
          trigger: null,
          ...given,
        } as never,
        site.controller.deviceId,
      ),
    );
  const users = [
    { user_id: foreign.owner },
    { user_id: foreign.otherOwner },
    { oauth_application_id: foreign.application },
    { user_id: foreign.owner, oauth_application_id: foreign.otherApplication },
  ];
  const proofs = [
    {},
    { pass: passes.otherSite },
    { pass: passes.otherOrganization },
    { pass: 'e30.AAAA' },
    { request_id: '1.abc.AAAAAAAAAAAAAAAA.AAAA' },
  ];
  const asNeighbor = { ...own, subject: { member_id: member }, reader_device_id: foreign.neighbor };
  return {
    gadget_id: doors.map(gadget_id => ({
      gadget_id,
      gadget_action_id: 'open',
      gadget_state_id: 'unlocked',
      gadget_signal_id: 'forced',
    })),
    gadget_action_id: doors.map(gadget_id => ({ gadget_id, gadget_action_id: foreign.owner })),
    gadget_trigger_id: [{ ...own, gadget_trigger_id: foreign.trigger }],
    'subject.member_id': [foreign.stranger, foreign.otherMember, foreign.unknownMember].map(member_id => ({
      ...own,
      subject: { member_id },
    })),
    'subject.member_pin_id': [foreign.strangerPin, foreign.otherPin].flatMap(member_pin_id => [
      { ...own, subject: { member_id: member, member_pin_id } },
      { ...own, subject: { member_pin_id } },
    ]),
    ...Object.fromEntries(
      ['email', 'magic_link', 'card', 'token'].map(kind => [
        `subject.member_${kind}_id`,
        [
          {
            ...own,
            subject: {
              member_id: member,
              [`member_${kind}_id`]: site.bridge.services.newId(`member_${kind}` as 'member_email'),
            },
          },
        ],
      ]),
    ),
    'subject.access_method': [{ ...own, subject: { access_method: foreign.owner } }],
    'subject.user_id': users.flatMap(user => proofs.map(proof => ({ ...own, subject: { ...user, ...proof } }))),
    'subject.oauth_application_id': users.map(user => ({
      ...own,
      subject: user,
      request_id: '1.abc.AAAAAAAAAAAAAAAA.AAAA',
    })),
    reader_device_id: [
      ...[foreign.neighbor, foreign.remote, foreign.otherDevice].map(reader_device_id => ({
        ...own,
        reader_device_id,
      })),
      { ...asNeighbor, peer_request: request(other.controller) },
      { ...asNeighbor, peer_request: request(site.controller) },
      { ...asNeighbor, peer_request: request(neighbor, { gadget_id: foreign.neighborDoor }) },
      { ...asNeighbor, peer_request: request(neighbor, { subject: { member_id: foreign.stranger } }) },
      { ...asNeighbor, peer_request: request(neighbor, { occurred_at: site.bridge.now - 86_400_000 }) },
      { ...asNeighbor, peer_request: 'AAAA' },
    ],
    reason: [{ ...own, reason: foreign.owner }],
    kind: [{ ...own, kind: foreign.owner }],
  };
};

const timesOfNoClaim = [0, 4_102_444_800_000, 253_402_300_799_999, -62_135_596_800_000];

describeOnBothDatabases('what a stolen controller can say', bridge => {
  let theft: Theft;
  const send = async (events: readonly DeviceEvent[]) => {
    const { controller } = theft;
    const ack = controller.next('ack');
    await controller.send('events', { v: 1, events: [...events] });
    await ack;
    const rows = await rowsOf(
      bridge(),
      events.map(({ id }) => id),
    );
    expect(rows).toHaveLength(events.length);
    return new Map(rows.map(row => [row.id, row]));
  };
  const event = (given: object): DeviceEvent => theft.controller.event(given as never);

  beforeAll(async () => {
    theft = await openTheft(bridge());
  });

  it('logs nothing that another one owns, for every kind of event and every field that can name it', async () => {
    const { controller, foreign, site } = theft;
    const values = foreignEventValues(theft);
    const cases = [...deviceEventKinds, 'of_a_newer_version'].flatMap(kind =>
      Object.entries(values).flatMap(([field, variants]) =>
        variants.map(variant => ({ field, sent: event({ kind, ...variant }) })),
      ),
    );
    const checked = Object.entries(eventFields).filter(([, statement]) => statement === 'checked');
    const others = ['id', 'occurred_at'];
    expect(
      checked.map(([field]) => field).filter(field => !others.includes(field) && values[field] === undefined),
    ).toEqual([]);
    for (let at = 0; at < cases.length; at += 500) {
      const batch = cases.slice(at, at + 500);
      const rows = await send(batch.map(({ sent }) => sent));
      for (const { field, sent } of batch) {
        const row = rows.get(sent.id)!;
        const names = `${sent.kind} with ${field} ${JSON.stringify(sent)}`;
        expect([names, row.reported_by]).toEqual([names, controller.deviceId]);
        // At its reader a credential was denied for another door, or the other controller was not reachable.
        const isOfOwnReader = sent.kind === 'deny' && row.object_device_id !== controller.deviceId;
        if (isOfOwnReader) expect([names, row.subject_device_id]).toEqual([names, controller.deviceId]);
        const {
          reported_kind: _,
          reported_reason: __,
          ...details
        } = JSON.parse(row.details ?? '{}') as Record<string, string>;
        const { object_gadget_id, object_device_id: _device, object_site_id: _site, ...rest } = row;
        const isForeignGadgetAllowed = sent.kind === 'deny' || sent.kind === 'fault';
        const stored = JSON.stringify(isForeignGadgetAllowed ? { ...rest, details } : { ...row, details });
        expect([names, Object.entries(foreign).filter(([, id]) => stored.includes(id))]).toEqual([names, []]);
        expect([names, [foreign.otherDoor, foreign.otherDevice].includes(object_gadget_id ?? '')]).toEqual([
          names,
          false,
        ]);
        if (!isForeignGadgetAllowed) expect([names, object_gadget_id ?? site.gadgetId]).toEqual([names, site.gadgetId]);
      }
    }
  });

  it('marks times before the claim and in the future, keeps the reported one, and sorts by the commit', async () => {
    const { site } = theft;
    const sent = timesOfNoClaim.map(occurred_at =>
      event({ kind: 'use', gadget_id: site.gadgetId, gadget_action_id: 'open', occurred_at }),
    );
    const rows = await send(sent);
    for (const { id, occurred_at } of sent) {
      const row = rows.get(id)!;
      expect(row).toMatchObject({ created_at: bridge().now, time_trusted: 0 });
      expect(JSON.parse(row.details!)).toEqual({ reported_time: new Date(occurred_at).toISOString() });
    }
    const slightlyAhead = event({ kind: 'use', gadget_id: site.gadgetId, occurred_at: bridge().now + 240_000 });
    expect((await send([slightlyAhead])).get(slightlyAhead.id)).toMatchObject({
      created_at: bridge().now + 240_000,
      time_trusted: 1,
      details: null,
    });
    // Sent again because the acknowledgement was lost.
    await send(sent);
    const { data } = await site.client.callOk(
      'GET',
      `/events?limit=100&object.gadget_id=${site.gadgetId}&sort=created_at:desc`,
    );
    expect(data.filter(({ id }) => sent.some(one => one.id === id))).toHaveLength(sent.length);
  });

  it('does not take the id of an event of another controller', async () => {
    const { site, other } = theft;
    await other.controller.start(other.url);
    const theirs = other.controller.event({
      kind: 'use',
      gadget_id: other.gadgetId,
      gadget_action_id: 'open',
    } as never);
    const ack = other.controller.next('ack');
    await other.controller.send('events', { v: 1, events: [theirs] });
    await ack;
    await send([{ ...event({ kind: 'use', gadget_id: site.gadgetId, gadget_action_id: 'open' }), id: theirs.id }]);
    expect((await rowsOf(bridge(), [theirs.id]))[0]).toMatchObject({ reported_by: other.controller.deviceId });
    await other.controller.stop();
  });
});

describeOnBothDatabases(
  'what an honest controller says',
  bridge => {
    it('is logged with its proofs: a pass, a reader that signed its request, and members who are deleted meanwhile', async () => {
      const theft = await openTheft(bridge());
      const { site, controller, neighbor, owner, member, pin, issuePass } = theft;
      const technician = await openAdminSession(bridge(), site.client.organizationId, 'technician', [site.siteId]);
      const pass = await issuePass(site, technician);
      const { organization_id, site_id, device_id } = controller.claimed;
      const place = { organization_id, site_id, device_id, now: bridge().now };
      expect(readVerifiedTechnicianPass(pass, place, () => true)).toMatchObject({
        value: { user_id: technician.userId },
      });
      const own = { gadget_id: site.gadgetId, gadget_action_id: 'open' };
      const subject = { member_id: member, member_pin_id: pin, access_method: 'pin' };
      const peer_request = toBase64url(
        neighbor.encode(
          'peer-request',
          {
            v: 1,
            request_id: 'r',
            nonce: 'A'.repeat(22),
            deadline_ms: 1000,
            gadget_id: own.gadget_id as never,
            action_id: 'open',
            occurred_at: bridge().now,
            time_trusted: true,
            subject: subject as never,
            trigger: null,
          },
          controller.deviceId,
        ),
      );
      const events = [
        controller.event({
          kind: 'rules_edited',
          subject: { user_id: technician.userId, pass },
          detail: 'edited',
        } as never),
        controller.event({ kind: 'use', ...own, subject, reader_device_id: neighbor.deviceId, peer_request } as never),
        controller.event({ kind: 'deny', ...own, gadget_id: theft.foreign.neighborDoor, subject } as never),
        controller.event({ kind: 'use', ...own, subject, occurred_at: bridge().now - 60_000 } as never),
      ];
      await site.client.callOk('DELETE', `/members/${member}`);
      await site.client.callOk('DELETE', `/member_groups/${site.groupId}`);
      await bridge().devices.whenIdle();
      const ack = controller.next('ack');
      await controller.send('events', { v: 1, events });
      await ack;
      const rows = new Map(
        (
          await rowsOf(
            bridge(),
            events.map(({ id }) => id),
          )
        ).map(row => [row.id, row]),
      );
      const credential = { subject_member_id: member, subject_member_pin_id: pin, subject_access_method: 'pin' };
      expect(events.map(({ id }) => rows.get(id))).toMatchObject([
        { subject_user_id: technician.userId, reason: 'rules_edited' },
        { ...credential, subject_device_id: neighbor.deviceId, reported_by: controller.deviceId },
        { ...credential, subject_device_id: controller.deviceId, object_device_id: neighbor.deviceId, verb: 'deny' },
        { ...credential, object_gadget_id: site.gadgetId, verb: 'use' },
      ]);
      const { status, body } = await owner.call('GET', `/events/${events[1]!.id}/report`);
      expect([status, body]).toMatchObject([200, { event_id: events[1]!.id, reported_by: controller.deviceId }]);
      await controller.stop();
    });
  },
  {},
  ['slow'],
);

describeOnBothDatabases(
  'input rules that a stolen controller reports',
  bridge => {
    it('are refused unless a technician proves them and may reach their gadgets', async () => {
      const theft = await openTheft(bridge());
      const { site, controller, foreign, passes, owner, issuePass } = theft;
      const technician = await openAdminSession(bridge(), site.client.organizationId, 'technician', [site.siteId]);
      const pass = await issuePass(site, technician);
      const edit = async (gadget_id: string, by: object) => {
        const answer = controller.next('rules');
        const input_rules = [{ code: '7', gadget_id, action_id: 'open' }];
        const { revision: base_revision } = controller.snapshot!;
        await controller.send('rules-changed', {
          v: 1,
          base_revision,
          edited_at: bridge().now,
          pass_id: null,
          input_rules,
          ...by,
        } as never);
        return (await answer).outcome;
      };
      const { remoteDoor, neighborDoor } = foreign;
      const pass_id = 'pass_1';
      const refused: [string, object][] = [
        [remoteDoor, { pass_id, user_id: owner.userId }],
        [remoteDoor, { pass_id, user_id: owner.userId, pass }],
        [site.gadgetId, { pass_id, user_id: owner.userId, pass: passes.otherSite }],
        [site.gadgetId, { pass_id, user_id: foreign.otherOwner, pass: passes.otherOrganization }],
        [site.gadgetId, { pass_id, user_id: technician.userId, pass, edited_at: bridge().now + 8 * 86_400_000 }],
        [remoteDoor, { pass_id, user_id: technician.userId, pass }],
        [remoteDoor, { oauth_application_id: foreign.application }],
        [remoteDoor, {}],
        [neighborDoor, {}],
      ];
      for (const [gadgetId, by] of refused)
        expect([gadgetId, by, await edit(gadgetId, by)]).toEqual([gadgetId, by, 'refused']);
      expect(await site.client.callOk('GET', `/devices/${controller.deviceId}`)).toMatchObject({ input_rules: [] });
      expect((await owner.callOk('GET', '/incidents')).data).toMatchObject([
        { kind: 'rules_refused', device_ids: [controller.deviceId] },
      ]);
      expect(await edit(neighborDoor, { pass_id, user_id: technician.userId, pass })).toBe('accepted');
      await controller.waitUntil(() => controller.snapshot !== null, 'a snapshot');
      expect(await site.client.callOk('GET', `/devices/${controller.deviceId}`)).toMatchObject({
        input_rules: [{ gadget_id: neighborDoor }],
      });
      const { data: edits } = await site.client.callOk(
        'GET',
        `/events?object.device_id=${controller.deviceId}&verb=edit`,
      );
      expect(edits.some(({ subject }) => (subject as { user_id?: string }).user_id === technician.userId)).toBe(true);
      await controller.stop();
    });

    it('are copied to other controllers only for a technician who proves it', async () => {
      const theft = await openTheft(bridge());
      const { controller, foreign, owner, passes, site, issuePass } = theft;
      const technician = await openAdminSession(bridge(), site.client.organizationId, 'technician', [site.siteId]);
      const copy = async (gadget_id: string, by: object) => {
        const answer = controller.next('rules-copied');
        const input_rules = [{ code: '7', gadget_id, action_id: 'open' }];
        const request = { v: 1, copy_id: 'c', step: 'try', asked_at: bridge().now, pass_id: 'pass_1', previous: [] };
        await controller.send('rules-copy', {
          ...request,
          to: foreign.neighbor,
          input_rules,
          confirm_within_s: 60,
          ...by,
        } as never);
        const { outcome, reason } = await answer;
        return [outcome, reason];
      };
      const forbidden = ['refused', 'forbidden'];
      expect(await copy(foreign.neighborDoor, { user_id: owner.userId })).toEqual(forbidden);
      expect(await copy(foreign.neighborDoor, { user_id: owner.userId, pass: passes.otherSite })).toEqual(forbidden);
      const pass = await issuePass(site, technician);
      expect(await copy(foreign.remoteDoor, { user_id: technician.userId, pass })).toEqual(forbidden);
      // The target is not connected.
      expect(await copy(foreign.neighborDoor, { user_id: technician.userId, pass })).toEqual([
        'refused',
        'hardware_offline',
      ]);
      await controller.stop();
    });
  },
  {},
  ['slow'],
);
