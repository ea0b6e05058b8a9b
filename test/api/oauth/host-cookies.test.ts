import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import { instant } from '@lintel/access-core/instant';
import { insertUser, signIn, TEST_PASSWORD } from '@lintel/cloud-bridge/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FormBrowser, type FormPage } from '../../support/bridge/form-browser.ts';
import { TlsBridge } from '../../support/bridge/tls-bridge.ts';

describe('cookies of a bridge with HTTPS', () => {
  let tls: TlsBridge;
  beforeAll(async () => {
    tls = await TlsBridge.open(instant(1_767_268_800_000));
  });
  afterAll(() => tls.close());

  const cookiesOf = (page: FormPage): string[] => [page.headers['set-cookie'] ?? []].flat().map(String);

  it('belong to this host only, so that another host of the domain cannot set them', async () => {
    const { bridge } = tls;
    const userId = await insertUser(bridge.services, { email: 'ann@example.test' });
    const browser = new FormBrowser(bridge.app);
    const login = await browser.get('/login');
    const welcome = await browser.submit(login, { email: 'ann@example.test', password: TEST_PASSWORD });
    const guest = await bridge.app.inject({ method: 'DELETE', url: '/guest/v1/session' });
    const reset = await browser.get('/reset-password/lpr_x');
    const cookies = [
      ...cookiesOf(login),
      ...cookiesOf(welcome),
      ...cookiesOf(reset),
      String(guest.headers['set-cookie']),
    ];
    const names = cookies.map(cookie => cookie.split('=')[0]!);
    expect(new Set(names)).toEqual(
      new Set(['session', `device_${userId}`, 'visit', 'reset', 'guest'].map(name => `__Host-lintel_${name}`)),
    );
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; Path=\/;.*; Secure/);
      expect(cookie).not.toContain('Domain');
    }
    expect(await browser.isSignedIn()).toBe(true);
  });

  it('ignores a session under the name that other hosts of the domain can set', async () => {
    const { bridge } = tls;
    const userId = await insertUser(bridge.services);
    const { cookie } = await signIn(bridge.services, userId);
    const isSignedIn = async (header: string) =>
      (await bridge.app.inject({ url: '/login', headers: { cookie: header } })).body.includes('You are signed in');
    expect([await isSignedIn(cookie), await isSignedIn(cookie.replace('__Host-', ''))]).toEqual([true, false]);
  });

  it('signs a user in over a TLS connection', async () => {
    const userId = await insertUser(tls.bridge.services);
    const { cookie } = await signIn(tls.bridge.services, userId);
    const body = await new Promise<string>((resolve, reject) => {
      get(`${tls.url}/login`, { headers: { cookie }, rejectUnauthorized: false }, response => {
        text(response).then(resolve, reject);
      }).on('error', reject);
    });
    expect(body).toContain('You are signed in');
  });
});
