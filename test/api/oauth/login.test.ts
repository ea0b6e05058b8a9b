import { createPasswordResetLink } from '@lintel/cloud-bridge/testing';
import { describe, expect, it } from 'vitest';
import { describeOAuthOnBothDatabases, OAuthFixture, PASSWORD } from '../../support/bridge/oauth-fixture.ts';

const CHOSEN_PASSWORD = 'four random words here';

describeOAuthOnBothDatabases('login page', oauth => {
  it('sets a session cookie with HttpOnly and SameSite', async () => {
    const { email } = await oauth().newTenant();
    const browser = oauth().browser();
    const page = await browser.logIn(`  ${email.toUpperCase()} `, PASSWORD);
    expect(page.status).toBe(303);
    const [cookie] = [page.headers['set-cookie']].flat().filter(one => String(one).startsWith('lintel_session='));
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect((await browser.get('/account')).html).toContain(email);
  });

  it('starts a new session at each login, so that session fixation fails', async () => {
    const { email } = await oauth().newTenant();
    const browser = oauth().browser();
    browser.cookies.set('lintel_session', 'planted');
    await browser.logIn(email, PASSWORD);
    const first = browser.cookies.get('lintel_session');
    expect(first).not.toBe('planted');
    const again = oauth().browser();
    const login = await again.get('/login');
    again.cookies.set('lintel_session', first!);
    await again.submit(login, { email, password: PASSWORD });
    expect(again.cookies.get('lintel_session')).not.toBe(first);
    expect((await browser.get('/login')).html).toContain('type="password"');
  });

  it('shows the same message for a wrong password and an unknown account', async () => {
    const { email } = await oauth().newTenant();
    const [wrong, unknown] = [
      await oauth().browser().logIn(email, 'wrong'),
      await oauth().browser().logIn('nobody@example.test', 'wrong'),
    ];
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const message = /role="alert">([^<]*)</;
    expect(message.exec(wrong.html)?.[1]).toBe(message.exec(unknown.html)?.[1]);
    expect(oauth().log.audits('login_refused').at(-1)).toMatchObject({ level: 'warn', user_id: null });
    expect(JSON.stringify(oauth().log.lines)).not.toContain('nobody@example.test');
  });

  it('limits login attempts for one account across addresses, and logs them', async () => {
    const { email } = await oauth().newTenant();
    const seen = oauth().log.audits('login_throttled').length;
    const tries = Array.from({ length: 40 }, async (_, index) =>
      oauth().browser(`198.51.100.${index}`).logIn(email, `pw${index}`),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter(status => status === 401)).toHaveLength(30);
    expect(statuses.filter(status => status === 429)).toHaveLength(10);
    expect(oauth().log.audits('login_throttled').length - seen).toBe(10);
    const right = await oauth().browser('198.51.100.99').logIn(email, PASSWORD);
    expect(right.status).toBe(429);
    expect(Number(right.headers['retry-after'])).toBe(5);
    oauth().bridge.advanceSeconds(5);
    expect((await oauth().browser('198.51.100.99').logIn(email, PASSWORD)).status).toBe(303);
  });

  it('does not let a stranger lock a user out', async () => {
    const { email } = await oauth().newTenant();
    const own = oauth().browser('192.0.2.10');
    await own.logIn(email, PASSWORD);
    await own.submit(await own.get('/login'));
    const stranger = oauth().browser('192.0.2.11');
    const statuses: number[] = [];
    for (let index = 0; index < 8; index++) statuses.push((await stranger.logIn(email, `pw${index}`)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    expect((await oauth().browser('192.0.2.12').logIn(email, PASSWORD)).status).toBe(303);

    // Many strangers throttle the account, but not the browser that the user has signed in with before.
    for (let index = 0; index < 40; index++)
      await oauth()
        .browser(`203.0.113.${index + 20}`)
        .logIn(email, 'guess');
    expect((await oauth().browser('192.0.2.13').logIn(email, PASSWORD)).status).toBe(429);
    expect((await own.logIn(email, 'wrong')).status).toBe(401);
    expect((await own.logIn(email, PASSWORD)).status).toBe(303);

    // The mark of a browser is for one user only, and does not allow unlimited guesses.
    const { email: other } = await oauth().newTenant();
    const marked = [...own.cookies].find(([name]) => name.startsWith('lintel_device_'))!;
    const forger = oauth().browser('192.0.2.14');
    await forger.logIn(other, PASSWORD);
    await forger.submit(await forger.get('/login'));
    const [, foreignMark] = [...forger.cookies].find(([name]) => name.startsWith('lintel_device_'))!;
    forger.cookies.set(marked[0], foreignMark);
    expect((await forger.logIn(email, PASSWORD)).status).toBe(429);
    await own.submit(await own.get('/login'));
    const guesses: number[] = [];
    for (let index = 0; index < 12; index++) guesses.push((await own.logIn(email, `pw${index}`)).status);
    expect(guesses.filter(status => status === 401)).toHaveLength(10);
  });

  it('limits login attempts of one address across accounts, and of no other address', async () => {
    const { email } = await oauth().newTenant();
    const guesser = oauth().browser('192.0.2.66');
    const statuses: number[] = [];
    for (let index = 0; index < 25; index++) {
      statuses.push((await guesser.logIn(`guess${index}@example.test`, 'password')).status);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(401), ...Array<number>(5).fill(429)]);
    expect((await guesser.logIn(email, PASSWORD)).status).toBe(429);
    expect((await oauth().browser('192.0.2.67').logIn(email, PASSWORD)).status).toBe(303);
  });

  it('does not count successful logins toward the limit of their address', async () => {
    const { email } = await oauth().newTenant();
    for (let index = 0; index < 25; index++) {
      expect((await oauth().browser('192.0.2.80').logIn(email, PASSWORD)).status).toBe(303);
    }
  });

  it('rejects a form without its token or from another origin, and logs the attempt', async () => {
    const tenant = await oauth().newTenant();
    const seen = oauth().log.audits('form_refused').length;
    const browser = oauth().browser();
    const login = await browser.get('/login');
    const fields = { email: tenant.email, password: PASSWORD };
    expect((await browser.post('/login', fields)).status).toBe(403);
    expect((await browser.submit(login, { ...fields, form_token: 'x' })).status).toBe(403);
    const evil = { origin: 'https://evil.example' };
    expect((await browser.submit(login, fields, evil)).status).toBe(403);
    expect((await browser.submit(login, fields, { origin: 'null' })).status).toBe(403);
    expect((await oauth().browser().submit(login, fields)).status).toBe(403);
    expect(browser.cookies.has('lintel_session')).toBe(false);
    expect((await browser.submit(login, fields, { origin: 'http://bridge.test' })).status).toBe(303);
    const address = oauth().authUrl(tenant.application);
    const consent = { decision: 'allow', organization_id: tenant.organizationId };
    expect(await browser.post(address, consent)).toMatchObject({ status: 403, location: undefined });
    const page = await browser.get(address);
    expect((await browser.submit(page, { decision: 'allow' }, evil)).status).toBe(403);
    expect((await browser.post('/logout', {})).status).toBe(403);
    expect(await oauth().browser().post(address, consent)).toMatchObject({ status: 403, location: undefined });
    expect(oauth().log.audits('form_refused').length - seen).toBe(9);
  });

  it('returns only to local paths, and logs any other', async () => {
    const { email } = await oauth().newTenant();
    const browser = oauth().browser();
    for (const elsewhere of ['https://evil.example', '//evil.example', '/\\evil.example', 'evil', '/\t/evil.example']) {
      const seen = oauth().log.audits('return_address_refused').length;
      const login = await browser.get(`/login?${new URLSearchParams({ return_to: elsewhere }).toString()}`);
      expect(login.html).not.toContain('evil');
      const { location } = await browser.submit(login, { email, password: PASSWORD, return_to: elsewhere });
      expect(location).toBe('/');
      expect(oauth().log.audits('return_address_refused').length - seen).toBe(2);
      await browser.submit(await browser.get('/login'));
    }
    const login = await browser.get('/login?return_to=%2Foauth2%2Fauth%3Fa%3Db');
    expect((await browser.submit(login, { email, password: PASSWORD })).location).toBe('/oauth2/auth?a=b');
  });

  it('ends a session at logout, after 12 idle hours, after 7 days, and after a password change', async () => {
    const { email, userId } = await oauth().newTenant();
    const enter = async () => {
      const browser = oauth().browser();
      await browser.logIn(email, PASSWORD);
      expect(await browser.isSignedIn()).toBe(true);
      return browser;
    };
    const hours = (count: number): void => oauth().bridge.advanceSeconds(count * 3600);

    const leaving = await enter();
    const token = leaving.cookies.get('lintel_session')!;
    await leaving.submit(await leaving.get('/login'));
    expect(leaving.cookies.has('lintel_session')).toBe(false);
    leaving.cookies.set('lintel_session', token);
    expect(await leaving.isSignedIn()).toBe(false);

    const idle = await enter();
    hours(12);
    expect(await idle.isSignedIn()).toBe(false);

    const busy = await enter();
    for (let passed = 0; passed < 7 * 24 - 6; passed += 6) {
      hours(6);
      expect(await busy.isSignedIn()).toBe(true);
    }
    hours(6);
    expect(await busy.isSignedIn()).toBe(false);

    const robbed = await enter();
    const link = new URL(await createPasswordResetLink(oauth().bridge.services, userId)).pathname;
    const owner = oauth().browser();
    await owner.submit(await owner.follow(await owner.get(link)), { new_password: CHOSEN_PASSWORD });
    expect(await robbed.isSignedIn()).toBe(false);
    expect((await oauth().browser().logIn(email, PASSWORD)).status).toBe(401);
    expect((await oauth().browser().logIn(email, CHOSEN_PASSWORD)).status).toBe(303);
  });

  it('rejects malformed requests without an internal error', async () => {
    const { app } = oauth().bridge;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const payload of ['', '__proto__=1&constructor=2', 'email=%00&password=%ff', 'email=a&email=b', '&&&=', '%']) {
      for (const url of ['/login', '/logout', '/oauth2/auth', '/oauth2/token', '/oauth2/revoke']) {
        const { statusCode } = await app.inject({ method: 'POST', url, headers, payload });
        expect(statusCode).toBeLessThan(500);
      }
    }
    expect((await app.inject({ method: 'POST', url: '/login', payload: { email: 'a' } })).statusCode).toBe(415);
    expect(
      (await app.inject({ url: '/login', headers: { cookie: 'lintel_session=%00; lintel_visit=' } })).statusCode,
    ).toBe(200);
  });
});

describe('login page over HTTPS', () => {
  it('marks the session cookie Secure when the public URL is HTTPS', async () => {
    const oauth = await OAuthFixture.open({ publicUrl: 'https://doors.example' });
    try {
      const { email } = await oauth.newTenant();
      const page = await oauth.browser().logIn(email, PASSWORD);
      expect(String(page.headers['set-cookie'])).toMatch(/lintel_session=[^;]+;.*; Secure/);
    } finally {
      await oauth.close();
    }
  });
});
