import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPasswordResetUrl, createPasswordReset } from '../../../cloud-bridge/src/accounts/password-resets.ts';
import { describePerDatabase } from '../../support/bridge/describe-on-both-databases.ts';
import type { FormBrowser, FormPage } from '../../support/bridge/form-browser.ts';
import { TestMailServer } from '../../support/bridge/mail-server.ts';
import { describeOAuthOnBothDatabases, OAuthFixture, PASSWORD } from '../../support/bridge/oauth-fixture.ts';

const CHOSEN = 'a new long password';

let networks = 0;

const isSignedIn = async (browser: FormBrowser): Promise<boolean> =>
  (await browser.get('/login')).html.includes('You are signed in');

describePerDatabase(
  'forgotten password',
  async engine => {
    const mailServer = await TestMailServer.open();
    const oauth = await OAuthFixture.open({ engine, mail: mailServer.options });
    return {
      oauth,
      mailServer,
      close: async () => {
        await oauth.close();
        mailServer.close();
      },
    };
  },
  world => {
    const newBrowser = (): FormBrowser => world().oauth.browser(`198.51.100.${++networks}`);

    const request = async (browser: FormBrowser, email: string): Promise<FormPage> => {
      const login = await browser.get('/login');
      const [, forgot = ''] = /href="([^"]+)">Forgot password/.exec(login.html) ?? [];
      return browser.submit(await browser.get(forgot), { email });
    };

    /** Requests a link and returns its path. */
    const requestLink = async (email: string): Promise<string> => {
      const count = world().mailServer.letters.length;
      await request(newBrowser(), ` ${email.toUpperCase()}`);
      const letter = await world().mailServer.letter(count + 1);
      expect(letter).toContain(`To: ${email}`);
      return /http:\/\/bridge\.test(\/reset-password\/\S+)/.exec(letter)?.[1] ?? '';
    };

    const openLink = async (browser: FormBrowser, link: string): Promise<FormPage> =>
      browser.follow(await browser.get(link));

    it('is replaced through a link by email, which ends all sessions', async () => {
      const { oauth } = world();
      const { email } = await oauth.newTenant();
      const old = newBrowser();
      await old.logIn(email, PASSWORD);
      const link = await requestLink(email);
      const browser = newBrowser();
      const page = await openLink(browser, link);
      expect((await browser.submit(page, { new_password: 'too short' })).status).toBe(400);
      expect((await browser.submit(page, { new_password: CHOSEN })).location).toBe('/account');
      expect([await isSignedIn(browser), await isSignedIn(old)]).toEqual([true, false]);
      expect((await newBrowser().logIn(email, PASSWORD)).status).toBe(401);
      expect((await newBrowser().logIn(email, CHOSEN)).status).toBe(303);
      expect(JSON.stringify(oauth.log.lines)).not.toContain(link.split('/').at(-1));
    });

    it('has links that work once, for one hour, and end with the first one used', async () => {
      const { oauth } = world();
      const { email } = await oauth.newTenant();
      const [used, other] = [await requestLink(email), await requestLink(email)];
      const browsers = [newBrowser(), newBrowser()];
      const pages = await Promise.all(browsers.map(browser => openLink(browser, used)));
      const answers = await Promise.all(
        browsers.map((browser, index) => browser.submit(pages[index]!, { new_password: `${CHOSEN} ${index}` })),
      );
      expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['303', '404']);
      for (const link of [used, other, '/reset-password/lpr_guessed']) {
        expect((await openLink(newBrowser(), link)).status).toBe(404);
      }
      const late = await requestLink(email);
      oauth.bridge.advanceSeconds(3599);
      expect((await openLink(newBrowser(), late)).status).toBe(200);
      oauth.bridge.advanceSeconds(1);
      expect((await openLink(newBrowser(), late)).status).toBe(404);
    });

    it('has the same answer for every address', async () => {
      const { oauth, mailServer } = world();
      const { email } = await oauth.newTenant();
      const count = mailServer.letters.length;
      const pages = [];
      for (const address of ['nobody@example.test', 'no address', email]) {
        const { status, html } = await request(newBrowser(), address);
        pages.push([status, html]);
      }
      expect(pages).toEqual([pages[0], pages[0], pages[0]]);
      expect(pages[0]?.[0]).toBe(200);
      expect(await mailServer.letter(count + 1)).toContain(`To: ${email}`);
      const stored = await oauth.bridge.services.storage.reader.selectFrom('password_resets').selectAll().execute();
      expect(stored.filter(({ user_id }) => user_id === null)).toHaveLength(2);
    });

    it('is throttled for one address in one network, without blocking other networks', async () => {
      const { oauth } = world();
      const { email } = await oauth.newTenant();
      const stranger = newBrowser();
      const statuses = [];
      for (let index = 0; index < 4; index++) statuses.push((await request(stranger, email)).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
      expect((await request(stranger, 'nobody2@example.test')).status).toBe(200);
      expect((await request(newBrowser(), email)).status).toBe(200);
    });

    it('rejects forms from other sites', async () => {
      const browser = newBrowser();
      for (const path of ['/forgot-password', '/reset-password', '/invitation', '/account/password']) {
        expect([path, (await browser.post(path, { email: 'a@b' })).status]).toEqual([path, 403]);
      }
    });
  },
);

describe('forgotten password without a mail server', () => {
  let oauth: OAuthFixture;
  beforeAll(async () => {
    oauth = await OAuthFixture.open();
  });
  afterAll(() => oauth.close());

  it('refers to the operator', async () => {
    expect((await oauth.browser().get('/forgot-password')).html).toContain('lintel user reset-password');
  });

  it('verifies the address of a user who got the password from an inviter', async () => {
    const { email, userId } = await oauth.newTenant();
    const { storage, publicUrl } = oauth.bridge.services;
    const session = oauth.browser();
    await session.logIn(email, PASSWORD);
    await storage.writer.updateTable('users').set({ verified_at: null }).where('id', '=', userId).execute();
    expect(await isSignedIn(session)).toBe(false);
    expect((await oauth.browser().logIn(email, PASSWORD)).status).toBe(401);
    const { token } = await createPasswordReset(storage.writer, userId, oauth.bridge.now);
    const browser = oauth.browser();
    const path = new URL(buildPasswordResetUrl(publicUrl, token)).pathname;
    await browser.submit(await browser.follow(await browser.get(path)), { new_password: CHOSEN });
    expect(await isSignedIn(browser)).toBe(true);
  });
});

describeOAuthOnBothDatabases('account page', oauth => {
  const newBrowser = (): FormBrowser => oauth().browser(`198.51.100.${++networks}`);

  const signIn = async (email: string): Promise<FormBrowser> => {
    const browser = newBrowser();
    await browser.logIn(email, PASSWORD);
    return browser;
  };

  const formToken = ({ html }: FormPage): string => /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';

  it('requires a signed-in user', async () => {
    expect((await newBrowser().get('/account')).location).toBe('/login?return_to=%2Faccount');
  });

  it('changes the password with the current one, and ends all other sessions', async () => {
    const { email } = await oauth().newTenant();
    const [browser, other] = [await signIn(email), await signIn(email)];
    const page = await browser.get('/account');
    const change = (current_password: string, new_password: string) =>
      browser.submit(page, { current_password, new_password });
    expect((await change('wrong', CHOSEN)).html).toContain('The current password is wrong');
    expect((await change(PASSWORD, 'short')).html).toContain('at least 10 characters');
    const changed = await change(PASSWORD, CHOSEN);
    expect((await browser.follow(changed)).html).toContain('Password changed');
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    expect((await newBrowser().logIn(email, CHOSEN)).status).toBe(303);
  });

  it('limits guesses of the current password', async () => {
    const { email } = await oauth().newTenant();
    const browser = await signIn(email);
    const page = await browser.get('/account');
    const statuses = [];
    for (let index = 0; index < 6; index++) {
      const fields = { current_password: `guess ${index}`, new_password: CHOSEN };
      statuses.push((await browser.submit(page, fields)).status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });

  it('ends a session of the user, and none of another user', async () => {
    const { email } = await oauth().newTenant();
    const stranger = await signIn((await oauth().newTenant()).email);
    const [browser, other] = [await signIn(email), await signIn(email)];
    const page = await browser.get('/account');
    const ids = [...page.html.matchAll(/name="session_id" value="([^"]+)"/g)].map(([, id]) => id ?? '');
    expect(ids).toHaveLength(1);
    const end = (by: FormBrowser, form: FormPage) =>
      by.post('/account/sessions/end', { form_token: formToken(form), session_id: ids[0]! });
    await end(stranger, await stranger.get('/account'));
    expect(await isSignedIn(other)).toBe(true);
    expect((await end(browser, page)).location).toBe('/account?done=session');
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
  });

  it('has the same functions in the API', async () => {
    const { email } = await oauth().newTenant();
    const [browser, other] = [await signIn(email), await signIn(email)];
    const cookie = `lintel_session=${browser.cookies.get('lintel_session')}`;
    const { app } = oauth().bridge;
    const call = (method: 'GET' | 'DELETE', path: string, headers: Record<string, string> = {}) =>
      app.inject({ method, url: `/admin/v1${path}`, headers: { cookie, ...headers } });
    const { csrf_token } = (await call('GET', '/session')).json<{ csrf_token: string }>();
    const { data } = (await call('GET', '/sessions')).json<{ data: { id: string; is_current: boolean }[] }>();
    expect(data).toHaveLength(2);
    expect(data[0]).toEqual({
      id: expect.any(String),
      client: expect.any(String),
      ip_address: expect.stringMatching(/^198\.51\.100\./),
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      expires_at: expect.any(String),
      is_current: expect.any(Boolean),
    });
    const elsewhere = data.find(({ is_current }) => !is_current)!;
    expect((await call('DELETE', `/sessions/${elsewhere.id}`)).statusCode).toBe(403);
    const headers = { 'x-csrf-token': csrf_token };
    expect((await call('DELETE', `/sessions/${elsewhere.id}`, headers)).json()).toEqual(elsewhere);
    expect((await call('DELETE', `/sessions/${elsewhere.id}`, headers)).statusCode).toBe(404);
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
  });
});
