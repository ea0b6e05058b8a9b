import { afterAll, describe, expect, it } from 'vitest';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { createGuestWithLink, GuestPhone } from '../../support/bridge/guest-phone.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { TestMailServer } from '../../support/bridge/mail-server.ts';
import { createTestDoor } from '../../support/bridge/site-fixtures.ts';
import { RecordingLogger } from '../../support/processes/recording-logger.ts';
import { asWholeWord } from '../../support/as-whole-word.ts';

const log = new RecordingLogger();
const terminal: string[] = [];

const codesTo = (email: string): string[] =>
  terminal.flatMap(line => {
    const [, to, code] = /^Login code of the guest (\S+): (\d{6})\n$/.exec(line) ?? [];
    return to === email ? [code!] : [];
  });

let count = 0;

describeOnBothDatabases(
  'guest with an e-mail address',
  bridge => {
    const newAddress = (): string => `guest${++count}@example.test`;
    const newPhone = (): GuestPhone => new GuestPhone(bridge(), `198.51.100.${++count}`);

    const createMemberWithEmail = async (email: string, permissions: object[] = [{}], member: object = {}) => {
      const client = await bridge().newOrganization();
      const door = await createTestDoor(bridge(), client);
      const guest = await createGuestWithLink(client, permissions, member);
      const { id: emailId } = await client.callOk('POST', `/members/${guest.memberId}/emails`, { email });
      return { client, ...door, ...guest, emailId };
    };

    const requestCode = async (phone: GuestPhone, email: string): Promise<string> => {
      const { status, body } = await phone.call('POST', '/login', { email });
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['login_id']);
      return String(body['login_id']);
    };

    const wrongCodeFor = (code: string): string => (code === '000000' ? '000001' : '000000');

    it('logs in with the code, and events name the e-mail address', async () => {
      const email = newAddress();
      const { client, gadgetId, memberId, emailId } = await createMemberWithEmail(email);
      const phone = newPhone();
      const login_id = await requestCode(phone, ` ${email.toUpperCase()} `);
      const [code = ''] = codesTo(email);
      expect(code).toMatch(/^\d{6}$/);
      expect(log.lines.some(line => line['email'] === email)).toBe(true);
      expect(JSON.stringify(log.lines)).not.toMatch(asWholeWord(code));
      expect((await phone.call('POST', '/login/code', { login_id, code })).status).toBe(200);
      expect((await phone.open(gadgetId)).status).toBe(200);
      expect((await client.get('/events?verb=use')).body.data[0]).toMatchObject({
        subject: { member_id: memberId, member_email_id: emailId, access_method: 'online' },
      });
      // A code works once.
      const again = await newPhone().call('POST', '/login/code', { login_id, code });
      expect(again).toMatchObject({ status: 400, body: { args: { field: 'code', reason: 'code_expired' } } });
      await client.callOk('DELETE', `/members/${memberId}/emails/${emailId}`);
      expect((await phone.call('GET', '/me')).status).toBe(401);
    });

    it('cannot find out which addresses exist', async () => {
      const email = newAddress();
      const unknown = newAddress();
      await createMemberWithEmail(email);
      const phone = newPhone();
      for (const address of [email, unknown]) {
        const login_id = await requestCode(phone, address);
        for (let tries = 1; tries <= 6; tries++) {
          const code = wrongCodeFor(codesTo(email)[0] ?? '');
          const { status, body } = await phone.call('POST', '/login/code', { login_id, code });
          expect(status).toBe(400);
          expect(body.args['reason']).toBe(tries < 5 ? 'wrong_code' : 'code_expired');
        }
      }
      expect(codesTo(unknown)).toEqual([]);
    });

    it('has five attempts within ten minutes', async () => {
      const email = newAddress();
      await createMemberWithEmail(email);
      const phone = newPhone();
      const enter = async (login_id: string, code: string) =>
        (await phone.call('POST', '/login/code', { login_id, code })).status;
      const first = await requestCode(phone, email);
      for (let tries = 1; tries <= 5; tries++) await enter(first, wrongCodeFor(codesTo(email).at(-1)!));
      expect(await enter(first, codesTo(email).at(-1)!)).toBe(400);
      const second = await requestCode(phone, email);
      bridge().advanceSeconds(600);
      expect(await enter(second, codesTo(email).at(-1)!)).toBe(400);
      const third = await requestCode(phone, email);
      bridge().advanceSeconds(599);
      // Attempts are counted per login.
      const other = await requestCode(newPhone(), email);
      expect(await enter(other, codesTo(email).at(-2)!)).toBe(400);
      expect(await enter(third, codesTo(email).at(-2)!)).toBe(200);
    });

    it('logs in only once with a code, even with concurrent requests', async () => {
      const email = newAddress();
      await createMemberWithEmail(email);
      const phone = newPhone();
      const entry = { login_id: await requestCode(phone, email), code: codesTo(email)[0]! };
      const entered = [1, 2, 3].map(() => newPhone().call('POST', '/login/code', entry));
      const statuses = (await Promise.all(entered)).map(({ status }) => status);
      expect(statuses.filter(status => status === 200)).toHaveLength(1);
    });

    it('sees every membership of the address and selects one for an action', async () => {
      const email = newAddress();
      const one = await createMemberWithEmail(email);
      const other = await createMemberWithEmail(email, [{}], { starts_at: '2030-01-01T00:00:00Z' });
      const over = await createMemberWithEmail(email, [{}], { ends_at: '2026-01-01T00:00:00Z' });
      const phone = newPhone();
      const login_id = await requestCode(phone, email);
      await phone.call('POST', '/login/code', { login_id, code: codesTo(email)[0]! });
      const { memberships } = await phone.me();
      expect(memberships.map(({ member_id }) => member_id)).toEqual([one.memberId, other.memberId]);
      expect(await phone.open(one.gadgetId)).toMatchObject({ status: 400, body: { args: { field: 'member_id' } } });
      expect((await phone.open(one.gadgetId, { member_id: over.memberId })).status).toBe(400);
      expect((await phone.open(one.gadgetId, { member_id: one.memberId })).status).toBe(200);
      expect((await phone.open(one.gadgetId, { member_id: other.memberId })).status).toBe(404);
    });

    it('is rate limited after too many codes for one address or from one network', async () => {
      const email = newAddress();
      await createMemberWithEmail(email);
      const phone = newPhone();
      for (let asked = 1; asked <= 5; asked++) await requestCode(phone, email);
      const refused = await phone.call('POST', '/login', { email });
      expect(refused).toMatchObject({ status: 429, body: { type: 'rate_limited' } });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(codesTo(email)).toHaveLength(5);
      for (let asked = 6; asked <= 30; asked++) await requestCode(newPhone(), email);
      expect((await newPhone().call('POST', '/login', { email })).status).toBe(429);
      const other = newPhone();
      for (let asked = 1; asked <= 30; asked++) await requestCode(other, newAddress());
      expect((await other.call('POST', '/login', { email: newAddress() })).status).toBe(429);
    });

    it('is not locked out by a stranger who requests codes for the address or enters wrong ones', async () => {
      const email = newAddress();
      await createMemberWithEmail(email);
      const [own, stranger] = [newPhone(), newPhone()];
      const logIn = async (): Promise<number> => {
        const login_id = await requestCode(own, email);
        return (await own.call('POST', '/login/code', { login_id, code: codesTo(email).at(-1)! })).status;
      };
      for (let asked = 1; asked <= 10; asked++) await stranger.call('POST', '/login', { email });
      expect((await stranger.call('POST', '/login', { email })).status).toBe(429);
      expect(await logIn()).toBe(200);
      // Many strangers: the address is throttled, except on a phone on which the guest has signed in before.
      for (let asked = 1; asked <= 35; asked++) await newPhone().call('POST', '/login', { email });
      expect((await newPhone().call('POST', '/login', { email })).status).toBe(429);
      expect(await logIn()).toBe(200);
      // A stranger in the same network.
      const neighbor = new GuestPhone(bridge(), own.ip);
      const login_id = await requestCode(neighbor, newAddress());
      for (let tries = 1; tries <= 80; tries++)
        await neighbor.call('POST', '/login/code', { login_id, code: '000000' });
      expect(await logIn()).toBe(200);
    });

    it('gets an error for an invalid address, code or field', async () => {
      const phone = newPhone();
      const wrong = async (path: string, body: object) => (await phone.call('POST', path, body)).body.args['field'];
      expect(await wrong('/login', { email: 'nobody' })).toBe('email');
      expect(await wrong('/login', {})).toBe('email');
      expect(await wrong('/login', { email: newAddress(), name: 'x' })).toBe('name');
      expect(await wrong('/login/code', { login_id: 'x', code: '12345' })).toBe('code');
      expect(await wrong('/session', { magic_link: '' })).toBe('magic_link');
    });
  },
  { logger: log, terminal: { write: line => terminal.push(line) } },
  ['slow'],
);

const strangers = await TestMailServer.open();
afterAll(() => strangers.close());

describeOnBothDatabases(
  'guest whose codes strangers have used up',
  bridge => {
    it('signs in with a mailed link, which is sent once an hour and works once', async () => {
      const email = 'besieged@example.test';
      const client = await bridge().newOrganization();
      const { memberId } = await createGuestWithLink(client, [{}]);
      await client.callOk('POST', `/members/${memberId}/emails`, { email });
      const request = async (address: string): Promise<unknown> => {
        const { status, body } = await new GuestPhone(bridge(), `198.51.100.${++count % 250}`).call('POST', '/login', {
          email: address,
        });
        return status === 200 ? body : status;
      };
      const mailsBefore = strangers.letters.length;
      const unknown = 'unknown@example.test';
      for (let asked = 1; asked <= 30; asked++) await Promise.all([request(email), request(unknown)]);
      expect([await request(email), await request(unknown), await request(email)]).toEqual([
        { login_id: null },
        { login_id: null },
        { login_id: null },
      ]);
      await strangers.letter(mailsBefore + 31);
      const mails = strangers.letters.slice(mailsBefore);
      expect(mails.every(letter => letter.includes(`To: ${email}`))).toBe(true);
      const links = mails.flatMap(
        letter => /guest\/login#([\w-]+)\.(\d{6})/.exec(letter.replaceAll('=\r\n', '')) ?? [],
      );
      expect(mails).toHaveLength(31);
      const [, login_id, code] = links;
      const own = new GuestPhone(bridge(), '203.0.113.9');
      expect((await own.call('POST', '/login/code', { login_id, code })).status).toBe(200);
      expect((await own.call('GET', '/me')).status).toBe(200);
      expect((await own.call('POST', '/login/code', { login_id, code })).status).toBe(400);
      bridge().advanceSeconds(3_601);
      for (let asked = 1; asked <= 31; asked++) await request(email);
      expect(await strangers.letter(mailsBefore + 62)).toContain('guest/login#');
    });
  },
  { mail: strangers.options },
  ['slow'],
);

describe('login code e-mail', () => {
  it('is sent by SMTP in the language of the member, and does not appear in the log', async () => {
    const server = await TestMailServer.open();
    const lines = new RecordingLogger();
    const bridge = await TestBridge.open({ mail: server.options, logger: lines });
    try {
      const client = await bridge.newOrganization();
      const { memberId } = await createGuestWithLink(client, [{}], { language: 'de-AT' });
      await client.callOk('POST', `/members/${memberId}/emails`, { email: 'anna@example.test' });
      const phone = new GuestPhone(bridge);
      const { body } = await phone.call('POST', '/login', { email: 'anna@example.test' });
      const letter = await server.letter(1);
      expect(letter).toContain('To: anna@example.test');
      expect(letter).toContain('From: Doors <doors@example.test>');
      const code = /Subject: (\d{6}) ist Ihr Code/.exec(letter)?.[1] ?? '';
      expect(JSON.stringify(lines.lines)).not.toMatch(asWholeWord(code));
      const entered = await phone.call('POST', '/login/code', { login_id: body['login_id'], code });
      expect(entered.status).toBe(200);
    } finally {
      await bridge.close();
      server.close();
    }
  });

  it('is logged as an error when it cannot be sent, and the guest sees no difference', async () => {
    const lines = new RecordingLogger();
    const bridge = await TestBridge.open({
      mail: { smtpUrl: 'smtp://127.0.0.1:1', from: 'doors@example.test' },
      logger: lines,
    });
    const client = await bridge.newOrganization();
    const { memberId } = await createGuestWithLink(client, [{}]);
    await client.callOk('POST', `/members/${memberId}/emails`, { email: 'anna@example.test' });
    const answer = await new GuestPhone(bridge).call('POST', '/login', { email: 'anna@example.test' });
    expect(answer.status).toBe(200);
    await expect.poll(() => lines.lines.filter(line => line.level === 'error')).toHaveLength(1);
    await bridge.close();
  });
});
