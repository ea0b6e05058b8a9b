import { createHmac } from 'node:crypto';
import { queueAlertMails, runAlerts, startAlertMails } from '@lintel/cloud-bridge/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../../support/bridge/admin-client.ts';
import { describePerDatabase } from '../../support/bridge/describe-on-both-databases.ts';
import { FormBrowser } from '../../support/bridge/form-browser.ts';
import { TestMailServer } from '../../support/bridge/mail-server.ts';
import { createTestDevice, createTestSite, door, reportTestStatus } from '../../support/bridge/site-fixtures.ts';
import { type TestOrganizationClient, TestBridge } from '../../support/bridge/test-bridge.ts';
import { WebhookTestServer } from '../../support/bridge/webhook-test-server.ts';

/** The test evaluates the rules itself. */
const NEVER_MS = 2 ** 30;

const mail = await TestMailServer.open();
afterAll(() => mail.close());

const watchedDoor = {
  ...door,
  states: [
    { id: 'closed', name: 'Closed' },
    { id: 'forced', name: 'Forced open' },
  ],
};

describePerDatabase(
  'alerts',
  engine => TestBridge.open({ engine, mail: mail.options, alertCheckMs: 20, webhookAllow: ['127.0.0.0/8'] }),
  bridge => {
    let receiver: WebhookTestServer;
    let client: TestOrganizationClient;
    let owner: AdminClient;
    let gadgetId: string;
    let siteId: string;
    /** Of the owner, so that it is confirmed. */
    let email: string;

    beforeAll(async () => {
      receiver = await WebhookTestServer.open();
      client = await bridge().newOrganization();
      owner = await openAdminSession(bridge(), client.organizationId, 'owner');
      email = String((await owner.callOk('GET', '/users')).data[0]!['email']);
      siteId = await createTestSite(bridge(), client);
      ({ gadgetId } = await createTestDevice(bridge(), client, { site_id: siteId as never, gadgets: [watchedDoor] }));
    });
    afterAll(() => receiver.close());

    const report = (state_id: string) => owner.callOk('PATCH', `/gadgets/${gadgetId}`, { state_id });
    const active = async () => (await owner.callOk('GET', '/active_alerts'))['items'] as { text: string }[];
    const createRule = (body: object) =>
      owner.callOk('POST', '/alert_rules', { name: 'Forced', kind: 'door_forced', ...body });
    const deleteRule = (id: string) => owner.callOk('DELETE', `/alert_rules/${id}`);

    it('send one message when a door is forced, none while it lasts, and one when it ends', async () => {
      const rule = await createRule({ webhook: { url: `${receiver.url}/json`, format: 'json' } });
      expect(rule).toMatchObject({ webhook: { format: 'json', host: new URL(receiver.url).host }, emails: [] });
      await report('forced');
      const [raised] = await receiver.received('/json', 1);
      expect(raised!.event).toMatchObject({
        type: 'alert.raised',
        alert_rule_id: rule.id,
        kind: 'door_forced',
        gadget_id: gadgetId,
        site_id: siteId,
        text: 'Front door was forced open',
      });
      const signature = createHmac('sha256', String(rule['webhook_secret'])).update(raised!.raw).digest('hex');
      expect(raised!.headers['x-service-sig-sha256']).toBe(signature);
      expect(await active()).toMatchObject([{ text: 'Front door was forced open', gadget_id: gadgetId }]);
      // A later message shows that the rule was evaluated again in between.
      await owner.callOk('POST', `/alert_rules/${rule.id}/test`, {});
      await receiver.received('/json', 2);
      await report('closed');
      const received = await receiver.received('/json', 3);
      expect(received.map(({ event }) => event['type'])).toEqual(['alert.raised', 'alert.test', 'alert.resolved']);
      expect(await active()).toEqual([]);
      await expect
        .poll(async () => (await owner.callOk('GET', '/alert_messages')).data.map(({ status }) => status))
        .toEqual(['sent', 'sent', 'sent']);
      await deleteRule(rule.id);
    });

    it('send a text to a chat webhook and an email', async () => {
      const letters = mail.letters.length;
      const url = `${receiver.url}/chat`;
      const rule = await createRule({ emails: [email], webhook: { url, format: 'slack' } });
      expect(rule['webhook_secret']).toBeNull();
      await report('forced');
      const [message] = await receiver.received('/chat', 1);
      expect(JSON.parse(String(message!.raw))).toEqual({
        text: 'Alert: Front door was forced open (Forced)',
      });
      expect(await mail.letter(letters + 1)).toContain('Front door was forced open');
      await deleteRule(rule.id);
      await report('closed');
    });

    it('escape markup of a chat in all names', async () => {
      const webhook = { url: `${receiver.url}/markup`, format: 'slack' };
      const rule = await createRule({ name: '<!channel> & <http://evil.example|click>', webhook });
      await owner.callOk('POST', `/alert_rules/${rule.id}/test`, {});
      const [message] = await receiver.received('/markup', 1);
      expect(JSON.parse(String(message!.raw))).toEqual({
        text: 'Test: This is a test message (&lt;!channel&gt; &amp; &lt;http://evil.example|click&gt;)',
      });
      await deleteRule(rule.id);
    });

    it('are written in the language of the rule, with times in the zone of the site', async () => {
      const letters = mail.letters.length;
      const url = `${receiver.url}/german`;
      const receivers = { emails: [email], webhook: { url, format: 'json' } };
      const rule = await createRule({ kind: 'device_fault', name: 'Störung', language: 'de', ...receivers });
      expect(rule).toMatchObject({ language: 'de' });
      const faultyDevice = await createTestDevice(bridge(), client, { site_id: siteId as never, name: 'Lobby' });
      const faults = [{ code: 'reader:front', since: '2026-01-15T12:00:00.000Z', message: 'reader front: no device' }];
      const status = { online: true, battery_present: false, battery_charging: false, faults };
      await reportTestStatus(bridge(), client.organizationId, faultyDevice.deviceId, status);
      const [raised] = await receiver.received('/german', 1);
      expect(raised!.event).toMatchObject({
        kind: 'device_fault',
        language: 'de',
        text: 'Ein Leser von Lobby antwortet nicht (front)',
        details: { name: 'Lobby', fault: 'reader:front', message: 'reader front: no device' },
      });
      const letter = await mail.letter(letters + 1);
      expect(letter).toContain('Alarm: Ein Leser von Lobby antwortet nicht (front)');
      expect(letter).toContain('Seit: Donnerstag, 15. Januar 2026 um 13:00 (Europe/Madrid)');
      const [message] = (await owner.callOk('GET', '/alert_messages')).data;
      expect(message).toMatchObject({ kind: 'device_fault', details: { fault: 'reader:front' } });
      expect((await owner.callOk('PATCH', `/alert_rules/${rule.id}`, { language: 'es' }))['language']).toBe('es');
      await owner.callOk('POST', `/alert_rules/${rule.id}/test`, {});
      const received = await receiver.received('/german', 2);
      expect(received[1]!.event).toMatchObject({ type: 'alert.test', text: 'Este es un mensaje de prueba' });
      await deleteRule(rule.id);
    });

    it('count denials, and resolve when they are over', async () => {
      const member = await client.callOk('POST', '/members', { name: 'Ann' });
      const rule = await createRule({
        kind: 'many_denials',
        count: 3,
        minutes: 10,
        webhook: { url: `${receiver.url}/denials`, format: 'json' },
      });
      for (let attempt = 0; attempt < 3; attempt++)
        await client.call('POST', `/gadgets/${gadgetId}/actions/open/execute_as_member`, { member_id: member.id });
      const [raised] = await receiver.received('/denials', 1);
      expect(raised!.event['text']).toBe('Front door denied access 3 times in 10 min');
      bridge().advanceSeconds(601);
      const [, resolved] = await receiver.received('/denials', 2);
      expect(resolved!.event['type']).toBe('alert.resolved');
      await deleteRule(rule.id);
    });

    it('retry a message until the receiver accepts it', async () => {
      receiver.answer('/retry', (_, response) => void response.writeHead(500).end());
      const rule = await createRule({ webhook: { url: `${receiver.url}/retry`, format: 'json' } });
      await owner.callOk('POST', `/alert_rules/${rule.id}/test`, {});
      await receiver.received('/retry', 1);
      const message = async () => (await owner.callOk('GET', '/alert_messages')).data[0];
      await expect.poll(message).toMatchObject({ status: 'pending', attempts: 1, error: 'the receiver answered 500' });
      receiver.answer('/retry', null);
      bridge().advanceSeconds(10);
      await expect.poll(message).toMatchObject({ status: 'sent', attempts: 2, error: null });
      await deleteRule(rule.id);
    });

    it('send emails to an address after its owner has opened the link', async () => {
      const letters = mail.letters.length;
      const url = `${receiver.url}/address`;
      const address = `night-${client.organizationId}@example.test`;
      const rule = await createRule({ emails: [address, email], webhook: { url, format: 'json' } });
      expect(rule).toMatchObject({ emails: [address, email], unconfirmed_emails: [address] });
      const [, link = ''] = /(http:\/\/bridge\.test\/alert-address\/lal_[\w-]{43})/.exec(
        await mail.letter(letters + 1),
      )!;
      const test = () => owner.callOk('POST', `/alert_rules/${rule.id}/test`, {});
      const recipients = async () =>
        (await owner.callOk('GET', '/alert_messages')).data
          .filter(message => message['alert_rule_id'] === rule.id && message['channel'] === 'email')
          .map(message => message['email']);
      await test();
      expect(await recipients()).toEqual([email]);
      // Saving the rule again sends no second link.
      await owner.callOk('PATCH', `/alert_rules/${rule.id}`, { emails: [address, email] });
      const browser = new FormBrowser(bridge().app);
      await browser.get(new URL(link).pathname);
      const page = await browser.get('/alert-address');
      expect(page.html).toContain(address);
      expect((await browser.post('/alert-address', { form_token: 'guessed' })).status).toBe(403);
      expect((await browser.submit(page)).status).toBe(200);
      expect(await owner.callOk('GET', `/alert_rules/${rule.id}`)).toMatchObject({ unconfirmed_emails: [] });
      await test();
      expect(new Set(await recipients())).toEqual(new Set([address, email]));
      expect(await mail.letter(letters + 2)).not.toContain('alert-address');
      await browser.get(new URL(link).pathname);
      expect((await browser.get('/alert-address')).status).toBe(404);
      await deleteRule(rule.id);
    });

    it('send no emails to an address whose user has left the organization', async () => {
      const leaving = await openAdminSession(bridge(), client.organizationId, 'viewer');
      const { data: users } = await owner.callOk('GET', '/users');
      const address = String(users.find(({ id }) => id === leaving.userId)!['email']);
      const rule = await createRule({ emails: [address] });
      expect(rule).toMatchObject({ unconfirmed_emails: [] });
      await owner.callOk('DELETE', `/users/${leaving.userId}`);
      expect(await owner.callOk('GET', `/alert_rules/${rule.id}`)).toMatchObject({ unconfirmed_emails: [address] });
      await deleteRule(rule.id);
    });

    it('send three tests of a rule in an hour', async () => {
      const rule = await createRule({});
      const test = () => owner.call('POST', `/alert_rules/${rule.id}/test`, {});
      expect([await test(), await test(), await test()].map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await test()).toMatchObject({
        status: 429,
        body: { type: 'rate_limited', args: { quota: 'test_messages' } },
      });
      await deleteRule(rule.id);
    });

    it('validate receivers, roles and organizations', async () => {
      const refused = { webhook: { url: 'http://10.0.0.1/x', format: 'json' } };
      const { status, body } = await owner.call('POST', '/alert_rules', { name: 'x', kind: 'door_forced', ...refused });
      expect([status, body['args']]).toMatchObject([400, { field: 'webhook.url' }]);
      expect((await owner.call('POST', '/alert_rules', { name: 'x', kind: 'rain' })).status).toBe(400);
      const viewer = await openAdminSession(bridge(), client.organizationId, 'viewer');
      expect((await viewer.call('POST', '/alert_rules', { name: 'x', kind: 'door_forced' })).status).toBe(403);
      expect((await viewer.get('/alert_rules')).status).toBe(200);
      const rule = await createRule({ webhook: { url: `${receiver.url}/secret-path`, format: 'slack' } });
      expect(JSON.stringify((await viewer.get('/alert_rules')).body)).not.toContain('secret-path');
      const other = await openAdminSession(bridge(), (await bridge().newOrganization()).organizationId, 'owner');
      expect((await other.get(`/alert_rules/${rule.id}`)).status).toBe(404);
      const edited = await owner.callOk('PATCH', `/alert_rules/${rule.id}`, { is_enabled: false, webhook: null });
      expect(edited).toMatchObject({ is_enabled: false, webhook: null });
    });
  },
);

const WAITING = 1200;

describePerDatabase(
  'alert mails of several organizations',
  engine => TestBridge.open({ engine, mail: mail.options, alertCheckMs: NEVER_MS }),
  bridge => {
    const addOrganization = async () => {
      const client = await bridge().newOrganization();
      const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
      const email = String((await owner.callOk('GET', '/users')).data[0]!['email']);
      return { client, owner, email };
    };

    it('are sent in turns, alarms before tests', async () => {
      const flooding = await addOrganization();
      const createRule = ({ owner, email }: typeof flooding) =>
        owner.callOk('POST', '/alert_rules', { name: 'Forced', kind: 'door_forced', emails: [email] });
      const rule = await createRule(flooding);
      await queueAlertMails(
        bridge().services,
        rule.id,
        Array.from({ length: WAITING }, (_, index) => `n${index}@x.test`),
      );
      const other = await addOrganization();
      const site_id = (await createTestSite(bridge(), other.client)) as never;
      const { gadgetId } = await createTestDevice(bridge(), other.client, { site_id, gadgets: [watchedDoor] });
      const otherRule = await createRule(other);
      await other.owner.callOk('POST', `/alert_rules/${otherRule.id}/test`, {});
      await other.owner.callOk('PATCH', `/gadgets/${gadgetId}`, { state_id: 'forced' });
      await runAlerts(bridge().services);
      const before = mail.letters.length;
      await using _ = startAlertMails(bridge().services);
      const position = (text: string) => mail.letters.slice(before).findIndex(letter => letter.includes(text));
      await expect.poll(() => position('Front door was forced open'), { timeout: 20_000 }).toBeGreaterThanOrEqual(0);
      expect(position('Front door was forced open')).toBeLessThan(60);
    });
  },
);

describePerDatabase(
  'alert rules that change while they are evaluated',
  engine => TestBridge.open({ engine, mail: mail.options, alertCheckMs: NEVER_MS }),
  bridge => {
    it.each(['delete', 'disable'] as const)('raise no alert after they are changed: %s', async change => {
      const client = await bridge().newOrganization();
      const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
      const site_id = (await createTestSite(bridge(), client)) as never;
      const { gadgetId } = await createTestDevice(bridge(), client, { site_id, gadgets: [watchedDoor] });
      await owner.callOk('PATCH', `/gadgets/${gadgetId}`, { state_id: 'forced' });
      const { id } = await owner.callOk('POST', '/alert_rules', {
        name: 'Forced',
        kind: 'door_forced',
        emails: ['night@example.test'],
      });
      await runAlerts(bridge().services, {
        beforeWrite: () =>
          change === 'delete'
            ? owner.callOk('DELETE', `/alert_rules/${id}`)
            : owner.callOk('PATCH', `/alert_rules/${id}`, { is_enabled: false }),
      });
      expect((await owner.callOk('GET', '/active_alerts'))['items']).toEqual([]);
      expect((await owner.callOk('GET', '/alert_messages')).data).toEqual([]);
    });
  },
);
