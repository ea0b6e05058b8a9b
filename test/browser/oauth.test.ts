import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addUserToOrganization } from '@lintel/cloud-bridge/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthFixture, PASSWORD, type OAuthTenant } from '../support/bridge/oauth-fixture.ts';
import { expectToFit, keepScreenshot } from '../support/browser/page-checks.ts';
import { desktop, HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';

describe('OAuth login and consent pages', () => {
  const browser = useBrowser();
  let world: OAuthFixture;
  let address: string;
  let application: Server;
  let callback: string;

  beforeAll(async () => {
    world = await OAuthFixture.open({ publicUrl: undefined });
    address = await world.bridge.listen('127.0.0.1', 0);
    // Redirects to another host, as applications do, which the policy of the pages has to allow.
    application = createServer((request, response) => {
      if (request.url?.startsWith('/done') === true) response.end('welcome back');
      else response.writeHead(302, { location: `http://localhost:${port()}/done${request.url}` }).end();
    }).listen(0);
    await once(application, 'listening');
    callback = `http://127.0.0.1:${port()}/cb`;
  }, HOOK_TIMEOUT);
  afterAll(async () => {
    application.close();
    await world.bridge.close();
  }, HOOK_TIMEOUT);

  const port = (): number => (application.address() as AddressInfo).port;

  const open = (options: BrowserContextOptions): Promise<Page> =>
    browser.open({ ...options, javaScriptEnabled: false });

  const startOf = ({ application }: OAuthTenant): string =>
    address + world.authUrl(application, { redirect_uri: callback, state: 'kept' });

  const authorize = async (options: BrowserContextOptions): Promise<void> => {
    const tenant = await world.newTenant({ name: 'Booking', redirectUris: [callback] });
    const other = await world.newTenant();
    await addUserToOrganization(world.bridge.services, other.organizationId, tenant.userId, 'viewer');
    const page = await open(options);

    await page.goto(startOf(tenant));
    await page.getByLabel('Email').fill(tenant.email);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toBe('Wrong email or password.');
    expect(await page.getByLabel('Email').inputValue()).toBe(tenant.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Choose an organization' }).waitFor();
    await expectToFit(page);
    expect(await page.getByRole('radio').nth(0).isChecked()).not.toBe(
      await page.getByRole('radio').nth(0).isDisabled(),
    );
    await page.getByRole('button', { name: 'Continue' }).click();

    await page.getByRole('heading', { name: /^Booking requests access to / }).waitFor();
    await keepScreenshot(page, 'consent');
    await expectToFit(page);
    expect(await page.getByRole('listitem').allTextContents()).toHaveLength(5);
    await page.getByRole('button', { name: 'Allow' }).click();

    await page.getByText('welcome back').waitFor();
    const parameters = new URL(page.url().replace('/done/cb', '/cb')).searchParams;
    expect(parameters.get('state')).toBe('kept');
    expect((await world.exchange(tenant, parameters.get('code')!)).status).toBe(200);
  };

  it('lead from a wrong password to the application on a phone in dark mode', { tags: ['slow'] }, () =>
    authorize({ ...phone, colorScheme: 'dark' }),
  );

  it('lead from a wrong password to the application on a desktop in light mode', { tags: ['slow'] }, () =>
    authorize(desktop),
  );

  it('let the user change the account, and report a denial to the application', { tags: ['slow'] }, async () => {
    const tenant = await world.newTenant({ redirectUris: [callback] });
    const page = await open(phone);
    await page.goto(startOf(tenant));
    await page.getByLabel('Email').fill(tenant.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByLabel('Email').fill(tenant.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('welcome back').waitFor();
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
  });

  it('reject a form that another site posts', { tags: ['slow'] }, async () => {
    const tenant = await world.newTenant({ redirectUris: [callback] });
    const page = await open(desktop);
    await page.goto(startOf(tenant));
    await page.getByLabel('Email').fill(tenant.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    const seen = world.log.audits('form_refused').length;
    await page.goto(`http://localhost:${port()}/done`);
    await page.setContent(
      `<form method="post" action="${startOf(tenant).replaceAll('&', '&amp;')}">
       <input name="decision" value="allow"><input name="organization_id" value="${tenant.organizationId}">
       <button>Win a prize</button></form>`,
    );
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'This form has expired' }).waitFor();
    expect(world.log.audits('form_refused').length - seen).toBe(1);
  });
});
