import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setRole } from '@lintel/cloud-bridge/accounts/users';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requirePart } from '../reporting/system-part.ts';
import { BridgeWorld } from '../support/bridge/bridge-world.ts';
import { RecordingLogger } from '../support/processes/recording-logger.ts';
import { type House, OAuthWorld, PASSWORD } from '../support/bridge/oauth-world.ts';

const part = { command: 'chromium', install: 'apt-get install chromium' };

const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' };
const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, colorScheme: 'light' };

describe('the login and consent pages in Chromium', () => {
  let world: OAuthWorld;
  let address: string;
  let application: Server;
  let callback: string;
  let browser: Browser;

  beforeEach(context => requirePart(context, part));
  beforeAll(async () => {
    const log = new RecordingLogger();
    world = new OAuthWorld(await BridgeWorld.open({ publicUrl: undefined, logger: log }), log);
    address = await world.world.bridge.listen('127.0.0.1', 0);
    // Sends the browser on to another host, as applications do: the pages' policy must not stand in the way.
    application = createServer((request, response) => {
      if (request.url?.startsWith('/done') === true) response.end('welcome back');
      else response.writeHead(302, { location: `http://localhost:${port()}/done${request.url}` }).end();
    }).listen(0);
    await once(application, 'listening');
    callback = `http://127.0.0.1:${port()}/cb`;
  });
  afterAll(async () => {
    await browser?.close();
    application.close();
    await world.world.close();
  });

  const port = (): number => (application.address() as AddressInfo).port;

  const open = async (options: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }> => {
    browser ??= await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    const page = await (await browser.newContext({ ...options, javaScriptEnabled: false })).newPage();
    const complaints: string[] = [];
    page.on('console', message => {
      // The browser notes every answer of 400 and more by itself.
      if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text());
    });
    return { page, complaints };
  };

  const startOf = ({ application }: House): string =>
    address + world.authUrl(application, { redirect_uri: callback, state: 'kept' });

  const fitsWidth = async (page: Page): Promise<boolean> => {
    const { width } = page.viewportSize()!;
    const box = await page
      .locator('html')
      .evaluate(element => (element as unknown as { scrollWidth: number }).scrollWidth);
    return box <= width;
  };

  it.each([
    ['on a phone in the dark', phone],
    ['on a desktop by day', desktop],
  ])('lead %s from a wrong password to the application', async (_, options) => {
    const house = await world.newHouse({ name: 'Booking', redirectUris: [callback] });
    const other = await world.newHouse();
    const { writer } = world.world.bridge.services.storage;
    await setRole(writer, { organizationId: other.organizationId, userId: house.userId }, 'viewer');
    const { page, complaints } = await open(options);

    await page.goto(startOf(house));
    await page.getByLabel('Email').fill(house.email);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    expect(await page.getByRole('alert').textContent()).toBe('Email or password is wrong.');
    expect(await page.getByLabel('Email').inputValue()).toBe(house.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Choose an organization' }).waitFor();
    expect(await fitsWidth(page)).toBe(true);
    expect(await page.getByRole('radio').nth(0).isChecked()).not.toBe(
      await page.getByRole('radio').nth(0).isDisabled(),
    );
    await page.getByRole('button', { name: 'Continue' }).click();

    await page.getByRole('heading', { name: /^Booking asks for access to / }).waitFor();
    expect(await fitsWidth(page)).toBe(true);
    expect(await page.getByRole('listitem').allTextContents()).toHaveLength(4);
    await page.getByRole('button', { name: 'Allow' }).click();

    await page.getByText('welcome back').waitFor();
    const told = new URL(page.url().replace('/done/cb', '/cb')).searchParams;
    expect(told.get('state')).toBe('kept');
    expect((await world.exchange(house, told.get('code')!)).status).toBe(200);
    expect(complaints).toEqual([]);
  });

  it('take a no back to the application, and change the account', async () => {
    const house = await world.newHouse({ redirectUris: [callback] });
    const { page, complaints } = await open(phone);
    await page.goto(startOf(house));
    await page.getByLabel('Email').fill(house.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByLabel('Email').fill(house.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('welcome back').waitFor();
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
    expect(complaints).toEqual([]);
  });

  it('do not let another site post their forms', async () => {
    const house = await world.newHouse({ redirectUris: [callback] });
    const { page } = await open(desktop);
    await page.goto(startOf(house));
    await page.getByLabel('Email').fill(house.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    const seen = world.log.audits('form_refused').length;
    await page.goto(`http://localhost:${port()}/done`);
    await page.setContent(
      `<form method="post" action="${startOf(house).replaceAll('&', '&amp;')}">
       <input name="decision" value="allow"><input name="organization_id" value="${house.organizationId}">
       <button>Win a prize</button></form>`,
    );
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'This form cannot be used' }).waitFor();
    expect(world.log.audits('form_refused').length - seen).toBe(1);
  });
});
