import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestBridge, type TestOrganizationClient } from '../support/bridge/test-bridge.ts';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { createGuestWithLink } from '../support/bridge/guest-phone.ts';
import { createTestDevice, createTestSite, door } from '../support/bridge/site-fixtures.ts';
import { RecordingLogger } from '../support/processes/recording-logger.ts';
import { accessibilityViolations, checkScreen } from '../support/browser/page-checks.ts';
import { desktop, HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';

const atTheDoor = { latitude: 41.4001, longitude: 2.2, accuracy: 8 };
const acrossTown = { latitude: 41.44, longitude: 2.2, accuracy: 8 };

const hours = (start: number, end: number) =>
  Array.from({ length: 7 }, () => ({ ranges: [{ start: start * 3600, end: end * 3600 }] }));

const doorWithOneAction = { ...door, actions: [{ id: 'open', name: 'Open' }] };

const slow = { tags: ['slow'] };

describe('guest page', () => {
  const log = new RecordingLogger();
  const terminal: string[] = [];
  const codeOf = (email: string): string =>
    terminal
      .map(line => /^Login code of the guest (\S+): (\d{6})/.exec(line))
      .find(found => found?.[1] === email)?.[2] ?? '';
  const browser = useBrowser();
  let world: TestBridge;
  let address: string;

  beforeAll(async () => {
    // Without a configured public address, links lead to where the bridge listens. It is Monday 12:00 in Madrid.
    world = await TestBridge.open({
      publicUrl: undefined,
      logger: log,
      terminal: { write: line => terminal.push(line) },
    });
    address = await world.bridge.listen('127.0.0.1', 0);
  }, HOOK_TIMEOUT);
  afterAll(() => world.close(), HOOK_TIMEOUT);

  const open = async (options = phone): Promise<Page> => {
    const page = await browser.open(options);
    await page.route('https://images.example.test/**', route => route.abort());
    return page;
  };

  /** A guest at a site with a front door, a garage that requires presence, a pool with hours and an elevator with two actions. */
  const createSiteWithGuest = async (member: object = {}) => {
    const client = await world.newOrganization();
    const site_id = await createTestSite(world, client, {
      name: 'Hotel Lintel, Barcelona',
      geo: { location: { lat: 41.4, lng: 2.2 }, radius: 150 },
      map: { address: 'Carrer de la Llinda 1, Barcelona', image_url: 'https://images.example.test/house.jpg' },
      phone: '+34 555 010 101',
      email: 'desk@example.test',
      info: 'Breakfast from 7 to 11.\nThe desk is open all night.',
    });
    const named = (name: string) => ({ ...doorWithOneAction, name });
    const elevator = { ...door, name: 'Elevator', actions: [1, 2].map(n => ({ id: `floor${n}`, name: `Floor ${n}` })) };
    const gadgets = [named('Front door'), named('Garage'), named('Pool'), elevator];
    const { gadgetIds } = await createTestDevice(world, client, { site_id, gadgets });
    const [front, garage, pool, elevatorId] = gadgetIds as [string, string, string, string];
    const early = await client.callOk('POST', '/schedules', { name: 'early', weekdays: hours(7, 11) });
    const rules = [
      { gadget_id: front },
      { gadget_id: garage, presence: 'gps' },
      { gadget_id: pool, schedule_id: early.id },
      { gadget_id: elevatorId },
    ];
    return { client, front, garage, ...(await createGuestWithLink(client, rules, member)) };
  };

  const uses = async (client: TestOrganizationClient) => (await client.get('/events?verb=use')).body.data;
  const doorNamed = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });

  const waitForText = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor();

  it('opens a magic link, removes the token from the address, shows the site and opens the door', async () => {
    const { client, memberId, linkId, front, link } = await createSiteWithGuest({ ends_at: '2026-06-05T09:00:00Z' });
    const page = await open();
    await page.goto(link);
    await doorNamed(page, 'Front door').waitFor();
    expect(page.url()).toBe(`${address}/guest`);
    expect(await page.evaluate('history.length')).toBeLessThanOrEqual(2);
    const text = await page.locator('main').innerText();
    for (const shown of ['Hotel Lintel, Barcelona', 'Carrer de la Llinda 1', '+34 555 010 101', 'desk@example.test']) {
      expect(text).toContain(shown);
    }
    expect(text).toContain('Your access ends on Friday 5 June at 11:00.');
    expect(await page.content()).not.toContain('do not show');
    await checkScreen(page, 'guest');

    await doorNamed(page, 'Front door').tap();
    await waitForText(page, 'Opened');
    expect(await uses(client)).toMatchObject([
      {
        subject: { member_id: memberId, member_magic_link_id: linkId, access_method: 'online' },
        object: { gadget_id: front, gadget_action_id: 'open' },
      },
    ]);
    await page.getByRole('button', { name: 'Floor 2' }).tap();
    await waitForText(page, 'Done');
    expect(await uses(client)).toHaveLength(2);
    await page.reload();
    await doorNamed(page, 'Front door').waitFor();
  });

  it('shows when a door outside its schedule opens again, and when a future access begins', slow, async () => {
    const page = await open();
    await page.goto((await createSiteWithGuest()).link);
    const pool = doorNamed(page, 'Pool');
    await pool.waitFor();
    expect(await pool.innerText()).toContain('Closed now. You can open it again tomorrow at 07:00.');
    expect(await pool.isDisabled()).toBe(true);
    const { link } = await createSiteWithGuest({ starts_at: '2026-06-03T13:00:00Z' });
    await page.goto(link);
    await waitForText(page, 'Your access starts on Wednesday 3 June at 15:00.');
    expect(await doorNamed(page, 'Front door').innerText()).toContain(
      'Too early. Your access starts on Wednesday 3 June at 15:00.',
    );
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('asks for the location at a rule that requires presence and opens only near the site', slow, async () => {
    const { client, link } = await createSiteWithGuest();
    const page = await open({ ...phone, permissions: ['geolocation'], geolocation: acrossTown });
    await page.goto(link);
    await doorNamed(page, 'Garage').tap();
    await page.getByText('You are too far away. Go to the door and try again.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await uses(client)).toHaveLength(0);
    await page.context().setGeolocation(atTheDoor);
    await doorNamed(page, 'Garage').tap();
    await waitForText(page, 'Opened');
    expect(await uses(client)).toMatchObject([{ details: { location: '41.4001,2.2' } }]);
  });

  it('asks for the location at no other rule and explains a refused permission', slow, async () => {
    const { client, link } = await createSiteWithGuest();
    const page = await open();
    await page.addInitScript(`
      globalThis.asked = 0;
      navigator.geolocation.getCurrentPosition = (_, refused) => { asked++; refused({ code: 1, PERMISSION_DENIED: 1 }); };
    `);
    await page.goto(link);
    await doorNamed(page, 'Front door').tap();
    await waitForText(page, 'Opened');
    expect(await page.evaluate('asked')).toBe(0);
    await doorNamed(page, 'Garage').tap();
    await page.getByText('Allow this page to use your location').waitFor();
    expect(await page.evaluate('asked')).toBe(1);
    expect(await uses(client)).toHaveLength(1);
  });

  it('logs in with an emailed code after a wrong one, and logs out', { tags: ['slow'] }, async () => {
    const { client, memberId } = await createSiteWithGuest();
    const email = 'ann@example.test';
    await client.callOk('POST', `/members/${memberId}/emails`, { email });
    const page = await open();
    await page.goto(`${address}/guest`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByLabel('Email').fill(email);
    await page.keyboard.press('Enter');
    const field = page.getByLabel('6-digit code');
    await field.waitFor();
    expect(await page.locator('main').innerText()).toContain(`If ${email} is registered, we have sent a code to it.`);
    const code = codeOf(email);
    await field.fill(code === '123456' ? '654321' : '123456');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Wrong code.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await field.fill(code);
    await page.keyboard.press('Enter');
    await doorNamed(page, 'Front door').waitFor();
    expect(page.url()).toBe(`${address}/guest`);
    await page.getByRole('button', { name: 'Sign out' }).tap();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // The browser stays known, so that wrong attempts of others do not lock the guest out.
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['lintel_guest_device']);
  });

  it('lets a guest of two organizations choose', slow, async () => {
    const email = 'both@example.test';
    for (const member of [{}, { starts_at: '2026-07-01T13:00:00Z', ends_at: '2026-07-04T09:00:00Z' }]) {
      const { client, memberId } = await createSiteWithGuest(member);
      await client.callOk('POST', `/members/${memberId}/emails`, { email });
    }
    const page = await open();
    await page.goto(`${address}/guest/login`);
    await page.getByLabel('Email').fill(email);
    await page.keyboard.press('Enter');
    await page.getByLabel('6-digit code').waitFor();
    await page.getByLabel('6-digit code').fill(codeOf(email));
    await page.keyboard.press('Enter');
    const places = page.getByRole('navigation', { name: 'Your places' });
    await places.getByRole('button', { name: 'Test, 1 Jul – 4 Jul' }).tap();
    await waitForText(page, 'Your access starts on Wednesday 1 July at 15:00.');
    expect(await accessibilityViolations(page)).toEqual([]);
    await places.getByRole('button', { name: 'Test', exact: true }).tap();
    await doorNamed(page, 'Front door').tap();
    await waitForText(page, 'Opened');
  });

  it('explains a lost connection, an access that has ended and a deleted link', slow, async () => {
    const { client, memberId, linkId, link } = await createSiteWithGuest();
    const page = await open();
    await page.goto(link);
    await doorNamed(page, 'Front door').waitFor();
    await page.context().setOffline(true);
    await doorNamed(page, 'Front door').tap();
    await page.getByText('No connection. Check your network and try again.').waitFor();
    await page.context().setOffline(false);
    await doorNamed(page, 'Front door').tap();
    await waitForText(page, 'Opened');
    await client.callOk('PATCH', `/members/${memberId}`, { ends_at: '2026-06-01T09:00:00Z' });
    await page.reload();
    await page.getByRole('heading', { name: 'Your access has ended.' }).waitFor();
    await client.callOk('DELETE', `/members/${memberId}/magic_links/${linkId}`);
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link is no longer valid.' }).waitFor();
    expect(page.url()).toBe(`${address}/guest`);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('shows what to type at the doors, hides it again, and keeps it for times without a connection if allowed', async () => {
    const { client, memberId, link } = await createSiteWithGuest();
    await client.callOk('POST', `/members/${memberId}/pins`, { pin: '482913' });
    const admin = await openAdminSession(world, client.organizationId, 'owner');
    await admin.callOk('PATCH', '', { guest_contact_name: 'Night desk', guest_contact_phone: '+34 555 020 202' });
    const page = await open();
    await page.goto(link);
    await page.getByRole('button', { name: 'Show my code' }).waitFor();
    expect(await page.content()).not.toContain('482913');
    await page.getByRole('button', { name: 'Show my code' }).tap();
    const code = page.getByRole('region', { name: 'My code' });
    await code.getByText('482913').first().waitFor();
    await checkScreen(page, 'guest-code');
    await page.getByRole('button', { name: 'Hide my code' }).tap();
    expect(await page.content()).not.toContain('482913');
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('482913');
    expect((await client.get('/events?verb=reveal')).body.data).toMatchObject([{ reason: 'guest_page' }]);

    await admin.callOk('PATCH', '', { guest_pins: 'offline' });
    await page.reload();
    // Of the page at this address, and not of the link.
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await page.reload();
    await page.getByRole('button', { name: 'Show my code' }).tap();
    await code.getByText('482913').first().waitFor();
    await page.context().setOffline(true);
    await page.reload();
    await page.getByRole('heading', { name: 'No connection' }).waitFor();
    await page.getByRole('link', { name: '+34 555 020 202' }).waitFor();
    await page.getByRole('button', { name: 'Show my code' }).tap();
    await code.getByText('482913').first().waitFor();
    await checkScreen(page, 'guest-offline');
    await page.context().setOffline(false);
    await doorNamed(page, 'Front door').waitFor();

    await client.callOk('PATCH', `/members/${memberId}`, { ends_at: '2026-06-01T09:00:00Z' });
    await page.reload();
    await page.getByRole('heading', { name: 'Your access has ended.' }).waitFor();
    await page.getByRole('link', { name: '+34 555 020 202' }).waitFor();
    await checkScreen(page, 'guest-ended');
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('482913');
  });

  it('uses the language of the member and fits every width in dark mode', slow, async () => {
    const { link } = await createSiteWithGuest({ language: 'de' });
    for (const width of [320, 768, 1280]) {
      const page = await open({ ...desktop, viewport: { width, height: 800 }, colorScheme: 'dark' });
      await page.goto(link);
      await page.getByText('Jetzt geschlossen. Sie können morgen um 07:00 wieder öffnen.').waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      await checkScreen(page, 'guest-german');
    }
  });

  it('opens a door with the keyboard alone and announces the result to screen readers', {
    tags: ['slow'],
  }, async () => {
    const { client, link } = await createSiteWithGuest();
    const page = await open();
    await page.goto(link);
    await doorNamed(page, 'Front door').waitFor();
    const id = await doorNamed(page, 'Front door').getAttribute('id');
    for (let steps = 0; steps < 10; steps++) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate('document.activeElement.id')) === id) break;
    }
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Front door: Opened' }).waitFor({ state: 'attached' });
    expect(await uses(client)).toHaveLength(1);
  });

  it('keeps tokens, codes and member names out of the request log', { tags: ['slow'] }, async () => {
    const { link } = await createSiteWithGuest();
    const page = await open();
    await page.goto(link);
    await doorNamed(page, 'Front door').waitFor();
    expect(log.lines.some(line => line['route'] === '/g/:token')).toBe(true);
    const all = JSON.stringify(log.lines);
    expect(all).not.toContain(link.split('/g/')[1]);
    expect(all).not.toContain('do not show');
  });
});
