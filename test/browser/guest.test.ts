import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requirePart } from '../reporting/system-part.ts';
import { BridgeWorld, type OrganizationClient } from '../support/bridge/bridge-world.ts';
import { aGuest } from '../support/bridge/guest-phone.ts';
import { aDevice, aSite, door } from '../support/bridge/place.ts';
import { RecordingLogger } from '../support/processes/recording-logger.ts';

const part = { command: 'chromium', install: 'apt-get install chromium' };

/** Without motion, so that nothing is judged while it is half faded in. */
const still: BrowserContextOptions = { locale: 'en-GB', reducedMotion: 'reduce' };
const phone: BrowserContextOptions = { ...still, viewport: { width: 390, height: 844 }, hasTouch: true };
const atTheDoor = { latitude: 41.4001, longitude: 2.2, accuracy: 8 };
const acrossTown = { latitude: 41.44, longitude: 2.2, accuracy: 8 };

const hours = (start: number, end: number) =>
  Array.from({ length: 7 }, () => ({ ranges: [{ start: start * 3600, end: end * 3600 }] }));

const openOnly = { ...door, actions: [{ id: 'open', name: 'Open' }] };

describe('the guest page in Chromium', () => {
  const log = new RecordingLogger();
  let world: BridgeWorld;
  let address: string;
  let browser: Browser;

  beforeEach(context => requirePart(context, part));
  beforeAll(async () => {
    // The public address is where it listens, so that links lead there. It is Monday 12:00 in Madrid.
    world = await BridgeWorld.open({ publicUrl: undefined, logger: log });
    address = await world.bridge.listen('127.0.0.1', 0);
  });
  afterAll(async () => {
    await browser?.close();
    await world.close();
  });

  const visit = async (options: BrowserContextOptions = phone): Promise<{ page: Page; complaints: string[] }> => {
    browser ??= await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    const context = await browser.newContext(options);
    await context.route('https://images.example.test/**', route => route.abort());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', message => {
      // The browser notes every answer of 400 and more, and the missing picture, by itself.
      if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text());
    });
    page.on('pageerror', error => complaints.push(error.message));
    return { page, complaints };
  };

  /** A house with a front door, a garage that wants presence, a pool with hours and a lift with two actions. */
  const aHouse = async (member: object = {}) => {
    const client = await world.newOrganization();
    const site_id = await aSite(world, client, {
      name: 'Hotel Lintel, Barcelona',
      geo: { location: { lat: 41.4, lng: 2.2 }, radius: 150 },
      map: { address: 'Carrer de la Llinda 1, Barcelona', image_url: 'https://images.example.test/house.jpg' },
      phone: '+34 555 010 101',
      email: 'desk@example.test',
      info: 'Breakfast from 7 to 11.\nThe desk is open all night.',
    });
    const named = (name: string) => ({ ...openOnly, name });
    const lift = { ...door, name: 'Lift', actions: [1, 2].map(n => ({ id: `floor${n}`, name: `Floor ${n}` })) };
    const gadgets = [named('Front door'), named('Garage'), named('Pool'), lift];
    const { gadgetIds } = await aDevice(world, client, { site_id, gadgets });
    const [front, garage, pool, liftId] = gadgetIds as [string, string, string, string];
    const early = await client.done('POST', '/schedules', { name: 'early', weekdays: hours(7, 11) });
    const rules = [
      { gadget_id: front },
      { gadget_id: garage, presence: 'gps' },
      { gadget_id: pool, schedule_id: early.id },
      { gadget_id: liftId },
    ];
    return { client, front, garage, ...(await aGuest(client, rules, member)) };
  };

  const uses = async (client: OrganizationClient) => (await client.get('/events?verb=use')).body.data;
  const doorNamed = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });

  const problemsOf = async (page: Page): Promise<string[]> => {
    // A string, because the policy of the page lets no other script in.
    const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
      `(() => { ${axe.source}; return axe.run(); })()`,
    );
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`);
  };

  const saysExactly = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor();

  const fitsWidth = (page: Page) =>
    page.evaluate<boolean>('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

  it('opens a link, hides its token, shows the house and opens the door', async () => {
    const { client, memberId, linkId, front, link } = await aHouse({ ends_at: '2026-06-05T09:00:00Z' });
    const { page, complaints } = await visit();
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
    expect(await fitsWidth(page)).toBe(true);
    expect(await problemsOf(page)).toEqual([]);

    await doorNamed(page, 'Front door').tap();
    await saysExactly(page, 'Opened');
    expect(await uses(client)).toMatchObject([
      {
        subject: { member_id: memberId, member_magic_link_id: linkId, access_method: 'online' },
        object: { gadget_id: front, gadget_action_id: 'open' },
      },
    ]);
    await page.getByRole('button', { name: 'Floor 2' }).tap();
    await saysExactly(page, 'Done');
    expect(await uses(client)).toHaveLength(2);
    await page.reload();
    await doorNamed(page, 'Front door').waitFor();
    expect(complaints).toEqual([]);
  });

  it('says when a door outside its schedule opens again, and that the stay has not begun', async () => {
    const { page } = await visit();
    await page.goto((await aHouse()).link);
    const pool = doorNamed(page, 'Pool');
    await pool.waitFor();
    expect(await pool.innerText()).toContain('Closed at this hour. It opens for you again tomorrow at 07:00.');
    expect(await pool.isDisabled()).toBe(true);
    const { link } = await aHouse({ starts_at: '2026-06-03T13:00:00Z' });
    await page.goto(link);
    await page.getByText('Your access begins on Wednesday 3 June at 15:00.').waitFor();
    expect(await doorNamed(page, 'Front door').innerText()).toContain(
      'Too early. It opens for you on Wednesday 3 June at 15:00.',
    );
    expect(await problemsOf(page)).toEqual([]);
  });

  it('asks for the location where the rule wants presence: near opens, far does not', async () => {
    const { client, link } = await aHouse();
    const { page, complaints } = await visit({ ...phone, permissions: ['geolocation'], geolocation: acrossTown });
    await page.goto(link);
    await doorNamed(page, 'Garage').tap();
    await page.getByText('You are too far away. Go to the door and try again.').waitFor();
    expect(await problemsOf(page)).toEqual([]);
    expect(await uses(client)).toHaveLength(0);
    await page.context().setGeolocation(atTheDoor);
    await doorNamed(page, 'Garage').tap();
    await saysExactly(page, 'Opened');
    expect(await uses(client)).toMatchObject([{ subject: { client: { location: '41.4001,2.2' } } }]);
    expect(complaints).toEqual([]);
  });

  it('does not ask for it otherwise, and says so when it is refused', async () => {
    const { client, link } = await aHouse();
    const { page } = await visit();
    await page.addInitScript(`
      globalThis.asked = 0;
      navigator.geolocation.getCurrentPosition = (_, refused) => { asked++; refused({ code: 1, PERMISSION_DENIED: 1 }); };
    `);
    await page.goto(link);
    await doorNamed(page, 'Front door').tap();
    await saysExactly(page, 'Opened');
    expect(await page.evaluate('asked')).toBe(0);
    await doorNamed(page, 'Garage').tap();
    await page.getByText('Allow this page to see the location').waitFor();
    expect(await page.evaluate('asked')).toBe(1);
    expect(await uses(client)).toHaveLength(1);
  });

  it('logs in with a code from the log, corrects a wrong one, and signs out', async () => {
    const { client, memberId } = await aHouse();
    const email = 'ann@example.test';
    await client.done('POST', `/members/${memberId}/emails`, { email });
    const { page, complaints } = await visit();
    await page.goto(`${address}/guest`);
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await page.getByLabel('E-mail').fill(email);
    await page.keyboard.press('Enter');
    const field = page.getByLabel('Code of 6 digits');
    await field.waitFor();
    expect(await page.locator('main').innerText()).toContain(`If we know ${email}, a code is on its way there.`);
    const code = String(log.lines.find(line => line['email'] === email)?.['code']);
    await field.fill(code === '123456' ? '654321' : '123456');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('That is not the code').waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await field.fill(code);
    await page.keyboard.press('Enter');
    await doorNamed(page, 'Front door').waitFor();
    expect(page.url()).toBe(`${address}/guest`);
    await page.getByRole('button', { name: 'Sign out' }).tap();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('lets a guest of two houses choose', async () => {
    const email = 'both@example.test';
    for (const member of [{}, { starts_at: '2026-07-01T13:00:00Z', ends_at: '2026-07-04T09:00:00Z' }]) {
      const { client, memberId } = await aHouse(member);
      await client.done('POST', `/members/${memberId}/emails`, { email });
    }
    const { page } = await visit();
    await page.goto(`${address}/guest/login`);
    await page.getByLabel('E-mail').fill(email);
    await page.keyboard.press('Enter');
    await page.getByLabel('Code of 6 digits').waitFor();
    await page.getByLabel('Code of 6 digits').fill(String(log.lines.find(line => line['email'] === email)?.['code']));
    await page.keyboard.press('Enter');
    const places = page.getByRole('navigation', { name: 'Your places' });
    await places.getByRole('button', { name: 'Test, 1 Jul – 4 Jul' }).tap();
    await page.getByText('Your access begins on Wednesday 1 July at 15:00.').waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await places.getByRole('button', { name: 'Test', exact: true }).tap();
    await doorNamed(page, 'Front door').tap();
    await saysExactly(page, 'Opened');
  });

  it('is friendly about a link that is gone, a stay that is over and a line that is down', async () => {
    const { client, memberId, linkId, link } = await aHouse();
    const { page } = await visit();
    await page.goto(link);
    await doorNamed(page, 'Front door').waitFor();
    await page.context().setOffline(true);
    await doorNamed(page, 'Front door').tap();
    await page.getByText('No connection. Look at your network and try again.').waitFor();
    await page.context().setOffline(false);
    await doorNamed(page, 'Front door').tap();
    await saysExactly(page, 'Opened');
    await client.done('PATCH', `/members/${memberId}`, { ends_at: '2026-06-01T09:00:00Z' });
    await page.reload();
    await page.getByRole('heading', { name: 'Your access has ended.' }).waitFor();
    await client.done('DELETE', `/members/${memberId}/magic_links/${linkId}`);
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link does not work any more.' }).waitFor();
    expect(page.url()).toBe(`${address}/guest`);
    expect(await problemsOf(page)).toEqual([]);
  });

  it('speaks the language of the member, fits every width and is read in the dark', async () => {
    const { link } = await aHouse({ language: 'de' });
    for (const width of [320, 768, 1280]) {
      const { page, complaints } = await visit({ ...still, viewport: { width, height: 800 }, colorScheme: 'dark' });
      await page.goto(link);
      await page.getByText('Um diese Zeit geschlossen. Sie können morgen um 07:00 wieder öffnen.').waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      expect(await fitsWidth(page)).toBe(true);
      expect(await problemsOf(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await page.context().close();
    }
  });

  it('opens with the keyboard alone, and says how it went to who cannot see it', async () => {
    const { client, link } = await aHouse();
    const { page } = await visit();
    await page.goto(link);
    await doorNamed(page, 'Front door').waitFor();
    for (let steps = 0; steps < 10; steps++) {
      await page.keyboard.press('Tab');
      if (await doorNamed(page, 'Front door').evaluate('element => element === document.activeElement')) break;
    }
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Front door: Opened' }).waitFor({ state: 'attached' });
    expect(await uses(client)).toHaveLength(1);
  });

  it('writes no token, code or name of a member into the log of requests', async () => {
    const { link } = await aHouse();
    const { page } = await visit();
    await page.goto(link);
    await doorNamed(page, 'Front door').waitFor();
    expect(log.lines.some(line => line['route'] === '/g/:token')).toBe(true);
    const all = JSON.stringify(log.lines);
    expect(all).not.toContain(link.split('/g/')[1]);
    expect(all).not.toContain('do not show');
  });
});
