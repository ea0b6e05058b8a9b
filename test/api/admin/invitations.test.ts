import { describe, expect, it } from 'vitest';
import { type AdminClient, openAdminSession, uniqueEmail } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst, describePerDatabase } from '../../support/bridge/describe-on-both-databases.ts';
import { FormBrowser, type FormPage } from '../../support/bridge/form-browser.ts';
import { TestMailServer } from '../../support/bridge/mail-server.ts';
import { OAuthFixture, PASSWORD } from '../../support/bridge/oauth-fixture.ts';
import { createTestDoor } from '../../support/bridge/site-fixtures.ts';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { eventsOf } from '../../support/devices/organization-events-and-access-changes.ts';
import { RecordingLogger } from '../../support/processes/recording-logger.ts';

const DAY_SECONDS = 86_400;
const CHOSEN = 'my own long password';

let networks = 0;

const field = ({ body }: { body: Readonly<Record<string, unknown>> }): string | undefined =>
  (body['args'] as Record<string, string>)['field'];

describeOnSqliteFirst('user invitations', bridge => {
  const newBrowser = (): FormBrowser => new FormBrowser(bridge().app, `198.51.100.${++networks}`);
  const pathOf = (url: unknown): string => String(url).replace('http://bridge.test', '');

  const newOwner = async (): Promise<AdminClient> =>
    openAdminSession(bridge(), (await bridge().newOrganization()).organizationId, 'owner');

  const invite = async (admin: AdminClient, email: string, role = 'viewer') =>
    admin.callOk('POST', '/users', { email, role });

  const openLink = async (browser: FormBrowser, url: unknown): Promise<FormPage> =>
    browser.follow(await browser.get(pathOf(url)));

  const accept = async (browser: FormBrowser, url: unknown, password = CHOSEN): Promise<FormPage> =>
    browser.submit(await openLink(browser, url), { new_password: password });

  /** The organizations that the browser's user can administer. */
  const organizationsOf = async (browser: FormBrowser): Promise<string[]> => {
    const { body } = await (await openAdminSession(bridge(), '', null)).callRoot('GET', '/organizations', undefined, {
      cookie: `lintel_session=${browser.cookies.get('lintel_session')}`,
    });
    return body.data.map(({ id }) => id);
  };

  it('do not let an inviter become the invited person in another organization', async () => {
    const victim = uniqueEmail();
    const attacker = await openAdminSession(bridge(), (await bridge().newOrganization()).organizationId, 'owner');
    const own = await attacker.callRoot('POST', '/organizations', { name: 'Bait' });
    const path = `/organizations/${own.body.id}/users`;
    const preset = await attacker.callRoot('POST', path, { email: victim, role: 'owner', password: 'attacker knows' });
    expect([preset.status, field(preset)]).toEqual([400, 'password']);
    expect(preset.body['message']).toContain('The invited person chooses the password');

    // Without SMTP the inviter holds the link, and can even accept it.
    const bait = await attacker.callRoot('POST', path, { email: victim, role: 'owner' });
    expect((await newBrowser().logIn(victim, 'attacker knows')).status).toBe(401);
    const attackerBrowser = newBrowser();
    expect((await accept(attackerBrowser, bait.body['invitation_url'], 'attacker knows')).status).toBe(303);

    const hotel = await newOwner();
    const { id, status, invitation_url: hotelLink } = await invite(hotel, victim, 'owner');
    expect(status).toBe('invited');
    expect(await organizationsOf(attackerBrowser)).toEqual([own.body.id]);
    expect((await hotel.get(`/users/${id}`)).body).toMatchObject({ status: 'invited' });
    // The link of the hotel does not reset the password of the account either.
    const page = await openLink(newBrowser(), hotelLink);
    expect(page.html).toContain('already has an account');
    expect(page.html).not.toContain('new_password');
  });

  it('give access after the invited person has chosen a password', async () => {
    const owner = await newOwner();
    const email = uniqueEmail();
    const invited = await owner.callOk('POST', '/users', {
      email: ` ${email.toUpperCase()}`,
      role: 'viewer',
      name: 'Vi',
    });
    expect(invited).toEqual({
      id: expect.stringMatching(/^usr_/),
      email,
      name: 'Vi',
      role: 'viewer',
      site_ids: [],
      status: 'invited',
      invitation_expires_at: new Date(bridge().now + 7 * DAY_SECONDS * 1000).toISOString(),
      invitation_url: expect.stringMatching(/^http:\/\/bridge\.test\/invitation\/liv_[\w-]{43}$/),
    });
    const { invitation_url: url, ...shown } = invited;
    expect((await owner.get(`/users/${invited.id}`)).body).toEqual(shown);
    expect((await newBrowser().logIn(email, CHOSEN)).status).toBe(401);
    const reader = await bridge().newApplication(owner.organizationId);
    const { body: events } = await reader.get('/events?expand=object_user');
    expect(events.data[0]).toMatchObject({ object: { type: 'user', user_id: invited.id } });

    const browser = newBrowser();
    const page = await openLink(browser, url);
    expect(page.html).toContain(email);
    const token = String(url).split('/').at(-1);
    expect(page.html).not.toContain(token);
    const rows = await bridge().services.storage.reader.selectFrom('user_invitations').selectAll().execute();
    expect(JSON.stringify(rows)).toContain(email);
    expect(JSON.stringify(rows)).not.toContain(token);
    for (const weak of ['short', email, 'x'.repeat(1025)]) {
      expect((await browser.submit(page, { new_password: weak })).status).toBe(400);
    }
    const accepted = await browser.submit(page, { new_password: 'four words that nobody guesses '.repeat(4) });
    expect([accepted.status, accepted.location]).toEqual([303, '/account']);
    expect((await browser.follow(accepted)).html).toContain('Your role: Viewer');
    expect(await organizationsOf(browser)).toEqual([owner.organizationId]);
    expect((await owner.get(`/users/${invited.id}`)).body).toEqual({
      ...shown,
      status: 'active',
      invitation_expires_at: null,
    });
    expect((await newBrowser().logIn(email, 'four words that nobody guesses '.repeat(4))).status).toBe(303);
    expect((await eventsOf(bridge(), owner as never)).slice(-2)).toEqual([
      `create user ${invited.id}`,
      `edit user ${invited.id}`,
    ]);
  });

  it('are accepted by the user of an existing account after signing in', async () => {
    const [first, second] = [await newOwner(), await newOwner()];
    const email = uniqueEmail();
    const account = await invite(first, email);
    const browser = newBrowser();
    await accept(browser, account['invitation_url']);
    await browser.submit(await browser.get('/login'));

    const invited = await invite(second, email, 'administrator');
    expect(invited.id).not.toBe(account.id);
    const page = await openLink(browser, invited['invitation_url']);
    const [, login = ''] = /href="(\/login\?[^"]*)"/.exec(page.html) ?? [];
    const signedIn = await browser.submit(await browser.get(login), { email, password: CHOSEN });
    expect(signedIn.location).toBe('/invitation');
    expect((await browser.submit(await browser.follow(signedIn))).location).toBe('/account');
    expect((await organizationsOf(browser)).toSorted()).toEqual(
      [first.organizationId, second.organizationId].toSorted(),
    );
    expect((await second.get(`/users/${account.id}`)).body).toMatchObject({ role: 'administrator', status: 'active' });
    expect((await second.get(`/users/${invited.id}`)).status).toBe(404);
  });

  it('are not accepted by another signed-in user', async () => {
    const owner = await newOwner();
    const [email, other] = [uniqueEmail(), uniqueEmail()];
    for (const address of [email, other]) {
      const { invitation_url } = await invite(await newOwner(), address);
      await accept(newBrowser(), invitation_url);
    }
    const { invitation_url } = await invite(owner, email);
    const browser = newBrowser();
    await browser.logIn(other, CHOSEN);
    const page = await openLink(browser, invitation_url);
    expect(page.html).toContain('Use another account');
    expect((await browser.post('/invitation', { form_token: 'guessed' })).status).toBe(403);
    // A form of this browser with a valid token, but without a form of the invitation.
    const elsewhere = newBrowser();
    const { html } = await openLink(elsewhere, (await invite(owner, uniqueEmail()))['invitation_url']);
    elsewhere.cookies.set('lintel_session', browser.cookies.get('lintel_session')!);
    elsewhere.cookies.set('lintel_invitation', browser.cookies.get('lintel_invitation')!);
    const [, form_token = ''] = /name="form_token" value="([^"]+)"/.exec(html) ?? [];
    expect((await elsewhere.post('/invitation', { form_token })).location).toBe('/invitation');
    expect(await organizationsOf(browser)).not.toContain(owner.organizationId);
  });

  it('work once, for 7 days, until they are renewed', async () => {
    const owner = await newOwner();
    const isInvalid = async (url: unknown): Promise<boolean> => (await openLink(newBrowser(), url)).status === 404;

    const used = await invite(owner, uniqueEmail());
    const [one, two] = [newBrowser(), newBrowser()];
    const pages = [await openLink(one, used['invitation_url']), await openLink(two, used['invitation_url'])];
    const both = await Promise.all([
      one.submit(pages[0]!, { new_password: CHOSEN }),
      two.submit(pages[1]!, { new_password: 'another long password' }),
    ]);
    expect(both.filter(({ location }) => location === '/account')).toHaveLength(1);
    expect(await isInvalid(used['invitation_url'])).toBe(true);

    const renewed = await invite(owner, uniqueEmail());
    const again = await owner.callOk('POST', `/users/${renewed.id}/invitation`, {});
    expect(again).toMatchObject({ id: renewed.id, invitation_url: expect.any(String) });
    expect(await isInvalid(renewed['invitation_url'])).toBe(true);
    bridge().advanceSeconds(7 * DAY_SECONDS - 1);
    expect(await isInvalid(again['invitation_url'])).toBe(false);
    bridge().advanceSeconds(1);
    expect(await isInvalid(again['invitation_url'])).toBe(true);
  });

  it('end when they are revoked or the invited user is removed', async () => {
    const owner = await newOwner();
    const isInvalid = async (url: unknown): Promise<boolean> => (await openLink(newBrowser(), url)).status === 404;
    const revoked = await invite(owner, uniqueEmail());
    expect(await owner.callOk('DELETE', `/users/${revoked.id}/invitation`)).toMatchObject({ id: revoked.id });
    expect(await isInvalid(revoked['invitation_url'])).toBe(true);
    expect((await owner.get(`/users/${revoked.id}`)).status).toBe(404);
    const removed = await invite(owner, uniqueEmail());
    await owner.callOk('DELETE', `/users/${removed.id}`);
    expect(await isInvalid(removed['invitation_url'])).toBe(true);
    expect(await isInvalid('/invitation/liv_guessed')).toBe(true);
    for (const method of ['POST', 'DELETE'] as const) {
      const active = `/users/${owner.userId}/invitation`;
      expect([method, field(await owner.call(method, active))]).toEqual([method, 'user_id']);
      expect((await owner.call(method, '/users/usr_unknown/invitation')).status).toBe(404);
    }
  });

  it('reject an address twice, an invalid address, and the sites of another role', async () => {
    const client = await bridge().newOrganization();
    const { siteId } = await createTestDoor(bridge(), client);
    const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    const refused = async (body: object) => field(await owner.call('POST', '/users', body));
    const email = uniqueEmail();
    await invite(owner, email);
    expect(await refused({ email: email.toUpperCase(), role: 'owner' })).toBe('email');
    expect(await refused({ email: `${owner.userId}@example.test`, role: 'viewer' })).toBe('email');
    expect(await refused({ email: 'nobody', role: 'viewer' })).toBe('email');
    expect(await refused({ email: uniqueEmail(), role: 'viewer', site_ids: [siteId] })).toBe('site_ids');
  });

  it('to the owner role are made, renewed and revoked only by owners', async () => {
    const owner = await newOwner();
    const admin = await openAdminSession(bridge(), owner.organizationId, 'administrator');
    const { id } = await invite(owner, uniqueEmail(), 'owner');
    expect((await admin.call('POST', '/users', { email: uniqueEmail(), role: 'owner' })).status).toBe(403);
    for (const method of ['POST', 'DELETE'] as const) {
      expect((await admin.call(method, `/users/${id}/invitation`)).status).toBe(403);
    }
    // An invited owner does not count as the owner that every organization needs.
    expect(field(await owner.call('DELETE', `/users/${owner.userId}`))).toBe('user_id');
  });

  it('are limited per user and per organization', async () => {
    const owner = await newOwner();
    const { id } = await invite(owner, uniqueEmail());
    const statuses: number[] = [];
    for (let index = 0; index < 6; index++) {
      statuses.push((await owner.call('POST', `/users/${id}/invitation`)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describePerDatabase(
  'an inviter',
  async engine => {
    const statements: string[] = [];
    const log = new RecordingLogger();
    const bridge = await TestBridge.open({ engine, logger: log, onQuery: sql => statements.push(sql) });
    return { bridge, statements, log, close: () => bridge.close() };
  },
  world => {
    it('cannot find out whether an address has an account', async () => {
      const { bridge, statements, log } = world();
      const owner = await openAdminSession(bridge, (await bridge.newOrganization()).organizationId, 'owner');
      const known = await openAdminSession(bridge, owner.organizationId, null);
      const results = [];
      for (const email of [`${known.userId}@example.test`, uniqueEmail()]) {
        statements.length = 0;
        const { status, body } = await owner.call('POST', '/users', { email, role: 'viewer' });
        const { id, invitation_url, email: shownEmail, ...rest } = body;
        expect([shownEmail, id === known.userId]).toEqual([email, false]);
        expect(String(invitation_url)).toMatch(/\/invitation\/liv_/);
        results.push({ status, rest, statements: statements.filter(text => text.includes('user')) });
      }
      expect(results[0]).toEqual(results[1]);
      expect(JSON.stringify(log.lines)).not.toContain('liv_');
      expect(log.lines.filter(({ message }) => String(message).startsWith('Invitation created'))).toHaveLength(2);
    });
  },
);

describe('invitation email', () => {
  it('contains the link, which neither the response nor the log contains', async () => {
    const mailServer = await TestMailServer.open();
    const oauth = await OAuthFixture.open({ mail: mailServer.options });
    try {
      const { bridge } = oauth;
      const owner = await openAdminSession(bridge, (await bridge.newOrganization()).organizationId, 'owner');
      const { email } = await oauth.newTenant();
      const invited = await owner.callOk('POST', '/users', { email, role: 'viewer' });
      expect(invited['invitation_url']).toBeNull();
      const letter = await mailServer.letter(1);
      expect(letter).toContain(`To: ${email}`);
      const [, link = ''] = /http:\/\/bridge\.test(\/invitation\/\S+)/.exec(letter) ?? [];
      expect(JSON.stringify(oauth.log.lines)).not.toContain(link);
      const browser = oauth.browser();
      await browser.logIn(email, PASSWORD);
      const page = await browser.follow(await browser.get(link));
      expect((await browser.submit(page)).location).toBe('/account');
    } finally {
      await oauth.close();
      mailServer.close();
    }
  });
});
