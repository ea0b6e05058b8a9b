import { beforeAll, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst, describePerDatabase } from '../../support/bridge/describe-on-both-databases.ts';
import { TestMailServer } from '../../support/bridge/mail-server.ts';
import { createTestDevice, createTestSite, door } from '../../support/bridge/site-fixtures.ts';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { RecordingLogger } from '../../support/processes/recording-logger.ts';
import { asWholeWord } from '../../support/as-whole-word.ts';

interface MailFixture {
  readonly bridge: TestBridge;
  readonly mailServer: TestMailServer;
  readonly log: RecordingLogger;
  close(): Promise<void>;
}

const openFixture = async (engine: 'sqlite' | 'postgres'): Promise<MailFixture> => {
  const mailServer = await TestMailServer.open();
  const log = new RecordingLogger();
  const bridge = await TestBridge.open({ engine, mail: mailServer.options, logger: log });
  const close = async (): Promise<void> => {
    await bridge.close();
    mailServer.close();
  };
  return { bridge, mailServer, log, close };
};

const createGuest = async (owner: AdminClient, fields: object = {}) => {
  const member = await owner.callOk('POST', '/members', { name: 'Ann', ...fields });
  const path = `/members/${member.id}`;
  const email = await owner.callOk('POST', `${path}/emails`, { email: 'ann@example.test' });
  const pin = await owner.callOk('POST', `${path}/pins`, { length: 6 });
  const link = await owner.callOk('POST', `${path}/magic_links`, {});
  return { path, email, pin, link, send: `${path}/emails/${email.id}/send` };
};

describePerDatabase('POST /members/{id}/emails/{id}/send', openFixture, fixture => {
  let owner: AdminClient;
  let front: AdminClient;
  beforeAll(async () => {
    const { bridge } = fixture();
    const client = await bridge.newOrganization();
    const site_id = await createTestSite(bridge, client, { name: 'Hotel', timezone: 'Europe/Madrid' });
    await createTestDevice(bridge, client, { site_id, name: 'Floor', gadgets: [{ ...door, name: 'Room 101' }] });
    owner = await openAdminSession(bridge, client.organizationId, 'owner');
    front = await openAdminSession(bridge, client.organizationId, 'front_desk');
    await owner.callOk('PATCH', '', { name: 'Hotel Lintel' });
  });

  it('sends PIN, link, doors and dates in the language of the member, and records it without the secrets', async () => {
    const { mailServer, log } = fixture();
    const dates = { starts_at: '2036-11-18T14:00:00Z', ends_at: '2036-11-20T10:00:00Z' };
    const { path, email, pin, link, send } = await createGuest(owner, { language: 'es-ES', ...dates });
    const group = await owner.callOk('POST', '/member_groups', { name: 'Guests', permissions: [{}] });
    await owner.callOk('POST', `${path}/group_associations`, { member_group_id: group.id });
    const body = { member_pin_ids: [pin.id], member_magic_link_ids: [link.id] };
    expect(await front.callOk('POST', send, body)).toEqual(email);

    const letter = await mailServer.letter(1);
    expect(letter).toContain('To: ann@example.test');
    expect(letter).toContain('Subject: Tu acceso a Hotel Lintel');
    expect(letter).toContain(`    ${String(pin['pin'])}`);
    expect(letter).toContain(`    ${String(link['link'])}`);
    expect(letter).toContain('Puertas: Room 101');
    expect(letter).toContain('18 de noviembre de 2036');
    expect(letter).toContain('15:00 (Europe/Madrid)');
    const lines = JSON.stringify(log.lines);
    expect(lines).not.toMatch(asWholeWord(String(pin['pin'])));
    expect(lines).not.toContain(String(link['link']));

    const { body: events } = await owner.get('/events?verb=reveal');
    const sent = events.data as unknown as readonly { reason: string; subject: object; object: object }[];
    expect(sent.map(({ reason, subject, object }) => ({ reason, subject, object }))).toEqual([
      {
        reason: 'sent_by_email',
        subject: expect.objectContaining({ user_id: front.userId }),
        object: expect.objectContaining({ member_magic_link_id: link.id, member_email_id: email.id }),
      },
      {
        reason: 'sent_by_email',
        subject: expect.objectContaining({ user_id: front.userId }),
        object: expect.objectContaining({ member_pin_id: pin.id, member_email_id: email.id }),
      },
    ]);
    expect(JSON.stringify(sent)).not.toMatch(asWholeWord(String(pin['pin'])));
  });

  it('rejects credentials of other members, deleted ones and an empty list', async () => {
    const ann = await createGuest(owner);
    const other = await createGuest(owner);
    const { length } = fixture().mailServer.letters;
    const statusOf = async (path: string, body: object) => (await owner.call('POST', path, body)).status;
    expect(await statusOf(ann.send, { member_pin_ids: [other.pin.id] })).toBe(400);
    expect(await statusOf(ann.send, {})).toBe(400);
    expect(await statusOf(`${ann.path}/emails/${other.email.id}/send`, { member_pin_ids: [ann.pin.id] })).toBe(404);
    await owner.callOk('DELETE', `${ann.path}/pins/${ann.pin.id}`);
    expect(await statusOf(ann.send, { member_pin_ids: [ann.pin.id] })).toBe(400);
    await owner.callOk('DELETE', other.path);
    expect(await statusOf(other.send, { member_pin_ids: [other.pin.id] })).toBe(404);
    expect(fixture().mailServer.letters).toHaveLength(length);
  });

  it('needs the permission to edit members', async () => {
    const { send, pin } = await createGuest(owner);
    const viewer = await openAdminSession(fixture().bridge, owner.organizationId, 'viewer');
    expect((await viewer.call('POST', send, { member_pin_ids: [pin.id] })).status).toBe(403);
  });

  it('limits the messages to one member', async () => {
    const { send, pin } = await createGuest(owner);
    const statuses = new Set<number>();
    for (let count = 0; count < 12; count++)
      statuses.add((await owner.call('POST', send, { member_pin_ids: [pin.id] })).status);
    expect([...statuses]).toEqual([200, 429]);
  });
});

describeOnSqliteFirst('sending credentials without a mail server', bridge => {
  it('is rejected with what to do, and records nothing', async () => {
    const { organizationId } = await bridge().newOrganization();
    const owner = await openAdminSession(bridge(), organizationId, 'owner');
    const { send, pin } = await createGuest(owner);
    const { status, body } = await owner.call('POST', send, { member_pin_ids: [pin.id] });
    expect([status, body['message']]).toEqual([400, expect.stringContaining('--smtp-url')]);
    expect((await owner.get('/events?verb=reveal')).body.data).toEqual([]);
  });
});

describePerDatabase('sending credentials to a mail server that is down', openFixture, fixture => {
  it('fails without the PIN in the response and in the log', async () => {
    const { bridge, mailServer, log } = fixture();
    mailServer.close();
    const { organizationId } = await bridge.newOrganization();
    const owner = await openAdminSession(bridge, organizationId, 'owner');
    const { send, pin } = await createGuest(owner);
    const { status, body } = await owner.call('POST', send, { member_pin_ids: [pin.id] });
    expect([status, body['type']]).toEqual([503, 'unavailable']);
    expect(`${JSON.stringify(body)}${JSON.stringify(log.lines)}`).not.toMatch(asWholeWord(String(pin['pin'])));
  });
});
