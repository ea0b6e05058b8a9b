import { createUser, setPassword } from '@lintel/cloud-bridge/accounts/users';
import { expect, it } from 'vitest';
import { BridgeWorld } from '../../support/bridge/bridge-world.ts';
import { RecordingLogger } from '../../support/processes/recording-logger.ts';
import { oauthOnBothEngines, OAuthWorld, PASSWORD } from '../../support/bridge/oauth-world.ts';

oauthOnBothEngines('logging in', world => {
  it('opens a session in a cookie that scripts and other sites cannot use', async () => {
    const { email } = await world().newHouse();
    const visitor = world().visitor();
    const page = await visitor.logIn(`  ${email.toUpperCase()} `, PASSWORD);
    expect(page.status).toBe(303);
    const [cookie] = [page.headers['set-cookie']].flat().filter(one => String(one).startsWith('lintel_session='));
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect((await visitor.follow(page)).html).toContain(email);
  });

  it('takes a new session at each login, so that a planted one is worth nothing', async () => {
    const { email } = await world().newHouse();
    const visitor = world().visitor();
    visitor.cookies.set('lintel_session', 'planted');
    await visitor.logIn(email, PASSWORD);
    const first = visitor.cookies.get('lintel_session');
    expect(first).not.toBe('planted');
    const again = world().visitor();
    const login = await again.get('/login');
    again.cookies.set('lintel_session', first!);
    await again.submit(login, { email, password: PASSWORD });
    expect(again.cookies.get('lintel_session')).not.toBe(first);
    expect((await visitor.get('/login')).html).toContain('type="password"');
  });

  it('says the same to a wrong password and to an unknown account', async () => {
    const { email } = await world().newHouse();
    const [wrong, unknown] = [
      await world().visitor().logIn(email, 'wrong'),
      await world().visitor().logIn('nobody@example.test', 'wrong'),
    ];
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const message = /role="alert">([^<]*)</;
    expect(message.exec(wrong.html)?.[1]).toBe(message.exec(unknown.html)?.[1]);
    expect(world().log.audits('login_refused').at(-1)).toMatchObject({ level: 'warn', user_id: null });
    expect(JSON.stringify(world().log.lines)).not.toContain('nobody@example.test');
  });

  it('stops a list of passwords for one account, from however many addresses, and logs it', async () => {
    const { email } = await world().newHouse();
    const seen = world().log.audits('login_throttled').length;
    const tries = Array.from({ length: 30 }, async (_, index) =>
      world().visitor(`198.51.100.${index}`).logIn(email, `pw${index}`),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter(status => status === 401)).toHaveLength(5);
    expect(statuses.filter(status => status === 429)).toHaveLength(25);
    expect(world().log.audits('login_throttled').length - seen).toBe(25);
    const right = await world().visitor('198.51.100.99').logIn(email, PASSWORD);
    expect(right.status).toBe(429);
    expect(Number(right.headers['retry-after'])).toBe(5);
    world().world.passSeconds(5);
    expect((await world().visitor('198.51.100.99').logIn(email, PASSWORD)).status).toBe(303);
  });

  it('stops one address that tries many accounts, and nobody else', async () => {
    const { email } = await world().newHouse();
    const guesser = world().visitor('192.0.2.66');
    const statuses: number[] = [];
    for (let index = 0; index < 25; index++) {
      statuses.push((await guesser.logIn(`guess${index}@example.test`, 'password')).status);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(401), ...Array<number>(5).fill(429)]);
    expect((await guesser.logIn(email, PASSWORD)).status).toBe(429);
    expect((await world().visitor('192.0.2.67').logIn(email, PASSWORD)).status).toBe(303);
  });

  it('does not count those who get it right against their office', async () => {
    const { email } = await world().newHouse();
    for (let index = 0; index < 25; index++) {
      expect((await world().visitor('192.0.2.80').logIn(email, PASSWORD)).status).toBe(303);
    }
  });

  it('refuses a form without its token or from elsewhere, and logs it', async () => {
    const house = await world().newHouse();
    const seen = world().log.audits('form_refused').length;
    const visitor = world().visitor();
    const login = await visitor.get('/login');
    const fields = { email: house.email, password: PASSWORD };
    expect((await visitor.post('/login', fields)).status).toBe(403);
    expect((await visitor.submit(login, { ...fields, form_token: 'x' })).status).toBe(403);
    const evil = { origin: 'https://evil.example' };
    expect((await visitor.submit(login, fields, evil)).status).toBe(403);
    expect((await visitor.submit(login, fields, { origin: 'null' })).status).toBe(403);
    expect((await world().visitor().submit(login, fields)).status).toBe(403);
    expect(visitor.cookies.has('lintel_session')).toBe(false);
    expect((await visitor.submit(login, fields, { origin: 'http://bridge.test' })).status).toBe(303);
    const address = world().authUrl(house.application);
    const consent = { decision: 'allow', organization_id: house.organizationId };
    expect(await visitor.post(address, consent)).toMatchObject({ status: 403, location: undefined });
    const page = await visitor.get(address);
    expect((await visitor.submit(page, { decision: 'allow' }, evil)).status).toBe(403);
    expect((await visitor.post('/logout', {})).status).toBe(403);
    expect(await world().visitor().post(address, consent)).toMatchObject({ status: 403, location: undefined });
    expect(world().log.audits('form_refused').length - seen).toBe(9);
  });

  it('goes back to a path of its own only, and logs any other', async () => {
    const { email } = await world().newHouse();
    const visitor = world().visitor();
    for (const elsewhere of ['https://evil.example', '//evil.example', '/\\evil.example', 'evil', '/\t/evil.example']) {
      const seen = world().log.audits('return_address_refused').length;
      const login = await visitor.get(`/login?${new URLSearchParams({ return_to: elsewhere }).toString()}`);
      expect(login.html).not.toContain('evil');
      const { location } = await visitor.submit(login, { email, password: PASSWORD, return_to: elsewhere });
      expect(location).toBe('/login');
      expect(world().log.audits('return_address_refused').length - seen).toBe(2);
      await visitor.submit(await visitor.get('/login'));
    }
    const login = await visitor.get('/login?return_to=%2Foauth2%2Fauth%3Fa%3Db');
    expect((await visitor.submit(login, { email, password: PASSWORD })).location).toBe('/oauth2/auth?a=b');
  });

  it('ends a session at logout, after 12 idle hours, after 7 days, and with a new password', async () => {
    const { email, userId } = await world().newHouse();
    const isLoggedIn = async (visitor: ReturnType<ReturnType<typeof world>['visitor']>): Promise<boolean> =>
      (await visitor.get('/login')).html.includes('You are logged in');
    const enter = async () => {
      const visitor = world().visitor();
      await visitor.logIn(email, PASSWORD);
      expect(await isLoggedIn(visitor)).toBe(true);
      return visitor;
    };
    const hours = (count: number): void => world().world.passSeconds(count * 3600);

    const leaving = await enter();
    const token = leaving.cookies.get('lintel_session')!;
    await leaving.submit(await leaving.get('/login'));
    expect(leaving.cookies.has('lintel_session')).toBe(false);
    leaving.cookies.set('lintel_session', token);
    expect(await isLoggedIn(leaving)).toBe(false);

    const idle = await enter();
    hours(12);
    expect(await isLoggedIn(idle)).toBe(false);

    const busy = await enter();
    for (let passed = 0; passed < 7 * 24 - 6; passed += 6) {
      hours(6);
      expect(await isLoggedIn(busy)).toBe(true);
    }
    hours(6);
    expect(await isLoggedIn(busy)).toBe(false);

    const robbed = await enter();
    await setPassword(world().world.bridge.services.storage.writer, userId, 'another one');
    expect(await isLoggedIn(robbed)).toBe(false);
    expect((await world().visitor().logIn(email, PASSWORD)).status).toBe(401);
    expect((await world().visitor().logIn(email, 'another one')).status).toBe(303);
  });

  it('keeps passwords as argon2id, and one account per address', async () => {
    const { newId, storage } = world().world.bridge.services;
    const circumstances = { newId, now: world().world.now };
    const row = await createUser(storage.writer, { email: ' Jo@Example.Test', password: 'pw' }, circumstances);
    expect(row).toMatchObject({ email: 'jo@example.test', name: '' });
    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const again = { email: 'jo@example.test', password: 'pw' };
    await expect(createUser(storage.writer, again, circumstances)).rejects.toMatchObject({ args: { field: 'email' } });
    for (const email of ['', 'jo', 'a b@c', '@', `${'x'.repeat(300)}@y`]) {
      await expect(createUser(storage.writer, { email, password: 'pw' }, circumstances)).rejects.toMatchObject({
        args: { field: 'email' },
      });
    }
  });

  it('survives what no browser sends', async () => {
    const { app } = world().world.bridge;
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

it('keeps the session cookie to HTTPS where the bridge is reached by it', async () => {
  const world = new OAuthWorld(await BridgeWorld.open({ publicUrl: 'https://doors.example' }), new RecordingLogger());
  try {
    const { email } = await world.newHouse();
    const page = await world.visitor().logIn(email, PASSWORD);
    expect(String(page.headers['set-cookie'])).toMatch(/lintel_session=[^;]+;.*; Secure/);
  } finally {
    await world.world.close();
  }
});
