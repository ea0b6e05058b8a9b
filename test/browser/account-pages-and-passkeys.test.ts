import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { OAuthFixture, PASSWORD } from '../support/bridge/oauth-fixture.ts';
import { checkScreen, expectToFit } from '../support/browser/page-checks.ts';
import { desktop, HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';
import { findFreePort } from '../support/find-free-port.ts';

describe('account pages', () => {
  const browser = useBrowser();
  let world: OAuthFixture;
  let address: string;

  beforeAll(async () => {
    const port = await findFreePort();
    address = `http://localhost:${port}`;
    world = await OAuthFixture.open({ publicUrl: address });
    await world.bridge.listen('127.0.0.1', port);
  }, HOOK_TIMEOUT);
  afterAll(() => world.bridge.close(), HOOK_TIMEOUT);

  const signIn = async (page: Page, email: string): Promise<void> => {
    await page.goto(`${address}/login?return_to=/account`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
  };

  const addAuthenticator = async (page: Page): Promise<CDPSession> => {
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return session;
  };

  it('sign a user in with a passkey until it is removed', { tags: ['slow'] }, async () => {
    const { email } = await world.newTenant();
    const page = await browser.open({ ...desktop, onlyOrigin: address });
    await addAuthenticator(page);
    await signIn(page, email);

    const passkeys = page.locator('section', { hasText: 'Passkeys' });
    await passkeys.getByLabel('Current password').fill('wrong password');
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('The current password is wrong').waitFor();
    await passkeys.getByLabel('Current password').fill(PASSWORD);
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Passkey added').waitFor();
    await checkScreen(page, 'account');
    await page.getByRole('button', { name: 'Sign out' }).click();

    await page.goto(`${address}/login?return_to=/account`);
    await checkScreen(page, 'login');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(await page.getByText(email).first().isVisible()).toBe(true);

    await passkeys.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Passkey removed').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto(`${address}/login`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('This passkey is not known here').waitFor();
  });

  it('accept no answer of a passkey twice', { tags: ['slow'] }, async () => {
    const { email, userId } = await world.newTenant();
    const page = await browser.open({ ...desktop, onlyOrigin: address });
    await addAuthenticator(page);
    await signIn(page, email);
    const passkeys = page.locator('section', { hasText: 'Passkeys' });
    await passkeys.getByLabel('Current password').fill(PASSWORD);
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Passkey added').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();

    await page.goto(`${address}/login`);
    const sent = page.waitForRequest(request => request.url().endsWith('/login/passkey'));
    const visit = (await page.context().cookies()).find(({ name }) => name === 'lintel_visit')!;
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    const fields = Object.fromEntries(new URLSearchParams((await sent).postData() ?? ''));
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    const { counter } = await world.bridge.services.storage.reader
      .selectFrom('passkeys')
      .select('counter')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    // Without the counter, only the challenge protects against a replay.
    await world.bridge.services.storage.writer
      .updateTable('passkeys')
      .set({ counter: Math.max(counter - 1, 0) })
      .where('user_id', '=', userId)
      .execute();
    const replay = world.browser();
    replay.cookies.set(visit.name, visit.value);
    expect((await replay.post('/login/passkey', fields)).status).toBe(401);
    const elsewhere = world.browser();
    const login = await elsewhere.get('/login');
    const [, form_token = ''] = /name="form_token" value="([^"]+)"/.exec(login.html) ?? [];
    expect((await elsewhere.post('/login/passkey', { ...fields, form_token })).status).toBe(401);
    for (const credential of ['', '{', '{"id":"x"}', '[]', 'null', '{"id":"x\u0000"}']) {
      const retry = world.browser();
      const { html } = await retry.get('/login');
      const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(html) ?? [];
      expect((await retry.post('/login/passkey', { credential, form_token: token })).status).toBe(401);
    }
  });

  it('show a new password on request', async () => {
    const { organizationId } = await world.bridge.newOrganization();
    const owner = await openAdminSession(world.bridge, organizationId, 'owner');
    const invited = await owner.callOk('POST', '/users', { email: 'lea@example.test', role: 'viewer' });
    const page = await browser.open({ ...phone, onlyOrigin: address });
    await page.goto(String(invited['invitation_url']));
    const password = page.getByLabel('New password');
    await password.fill('my own long password');
    expect(await password.getAttribute('type')).toBe('password');
    await page.getByLabel('Show the password').check();
    expect(await password.getAttribute('type')).toBe('text');
    await checkScreen(page, 'invitation');
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await page.getByLabel('Show the password').check();
    expect(await password.getAttribute('type')).toBe('text');
  });

  it('work without JavaScript, from the invitation to the password change', async () => {
    const { organizationId } = await world.bridge.newOrganization();
    const owner = await openAdminSession(world.bridge, organizationId, 'owner');
    const invited = await owner.callOk('POST', '/users', { email: 'eva@example.test', role: 'viewer' });
    const page = await browser.open({ ...phone, javaScriptEnabled: false, onlyOrigin: address });
    await page.goto(String(invited['invitation_url']));
    expect(page.url()).toBe(`${address}/invitation`);
    await expectToFit(page);
    await page.getByLabel('New password').fill('my own long password');
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await expectToFit(page);
    expect(await page.getByRole('button', { name: 'Add a passkey' }).isVisible()).toBe(false);
    await page.getByLabel('Current password').first().fill('my own long password');
    await page.getByLabel('New password').fill('another long password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByText('lintel user reset-password').waitFor();
    await expectToFit(page);
  });
});
