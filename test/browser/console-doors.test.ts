import { instant } from '@lintel/access-core/instant';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../support/bridge/admin-client.ts';
import { createTestDevice, createTestSite, door } from '../support/bridge/site-fixtures.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { savePicture } from '../support/browser/console-opener-and-docs-screenshots.ts';
import { desktop, HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';

const doorWithStates = {
  ...door,
  states: [
    { id: 'locked', name: 'Locked' },
    { id: 'unlocked', name: 'Unlocked' },
    { id: 'forced', name: 'Forced open' },
  ],
  signals: [{ id: 'doorbell', name: 'Doorbell' }],
};

describe('console screens for doors', { tags: ['slow'] }, () => {
  const browser = useBrowser();
  let bridge: TestBridge;
  let address: string;
  let owner: AdminClient;
  let gadgetIds: readonly string[];
  let garageId: string;

  beforeAll(async () => {
    bridge = await TestBridge.open({ publicUrl: undefined, isTicking: true });
    bridge.now = instant(Date.now());
    address = await bridge.listen('127.0.0.1', 0);
    const client = await bridge.newOrganization();
    const site_id = await createTestSite(bridge, client, { name: 'Hotel Lintel', timezone: 'Europe/Madrid' });
    const device = await createTestDevice(bridge, client, {
      site_id,
      name: 'First floor',
      gadgets: ['Front door', 'Room 101', 'Lounge'].map(name => ({ ...doorWithStates, name })),
    });
    ({ gadgetIds } = device);
    const garage = await createTestDevice(bridge, client, {
      site_id,
      name: 'Garage controller',
      hardware_id: 'hw_garage' as never,
      gadgets: [{ ...door, name: 'Garage' }],
    });
    garageId = garage.gadgetId;
    owner = await openAdminSession(bridge, client.organizationId, 'owner');
    await owner.callOk('PATCH', '', { name: 'Hotel Lintel' });
    const days = (start: number, end: number) => Array.from({ length: 7 }, () => ({ ranges: [{ start, end }] }));
    const schedule = await client.callOk('POST', '/schedules', { name: 'Never', weekdays: days(0, 1) });
    const staff = await client.callOk('POST', '/member_groups', { name: 'Staff', permissions: [{}] });
    const limited = await client.callOk('POST', '/member_groups', {
      name: 'Suppliers',
      permissions: [{ schedule_id: schedule.id, access_methods: { pin: true, card: true } }],
    });
    const members = [
      ['Ann Example', staff.id],
      ['Sam Supplier', limited.id],
      ['Nora Nowhere', null],
    ] as const;
    for (const [name, member_group_id] of members) {
      const { id } = await client.callOk('POST', '/members', { name });
      if (member_group_id !== null)
        await client.callOk('POST', `/members/${id}/group_associations`, { member_group_id });
    }
    await owner.callOk('PUT', `/devices/${device.deviceId}/input_rules`, {
      input_rules: [
        { code: '', gadget_id: gadgetIds[0], action_id: 'open' },
        { code: '#7', gadget_id: gadgetIds[1], action_id: 'open' },
      ],
    });
  }, HOOK_TIMEOUT);
  afterAll(() => bridge.close(), HOOK_TIMEOUT);

  const open = async (path: string, options = desktop, user = owner): Promise<Page> => {
    const page = await browser.open({
      ...options,
      onlyOrigin: address,
      session: { cookie: user.headers['cookie']!, url: address },
    });
    await page.goto(`${address}/organizations/${user.organizationId}${path}`);
    return page;
  };

  type Walk = (options: BrowserContextOptions) => Promise<void>;
  const germanPhone = { ...phone, locale: 'de-DE' };

  const walkDoor: Walk = async options => {
    const page = await open(`/doors/${gadgetIds[0]}`, options);
    await page.getByRole('heading', { name: 'Front door', level: 1 }).waitFor();
    const members = page.getByRole('region', { name: /Who can open it|Wer öffnen kann/ });
    await members.getByText('Ann Example').waitFor();
    await members
      .getByRole('listitem')
      .filter({ hasText: 'Ann Example' })
      .getByText(/^(Now|Jetzt)$/)
      .waitFor();
    await members
      .getByRole('listitem')
      .filter({ hasText: 'Sam Supplier' })
      .getByText(/^(Not now|Nicht jetzt)$/)
      .waitFor();
    await members.getByText(/Open, Hold open: (during|während) Never, PIN (or card|oder Karte)/).waitFor();
    await page.getByText(/PIN or card without a code: Open|PIN oder Karte ohne Code: Open/).waitFor();
    await checkScreen(page, 'admin-door');
    // A report from elsewhere appears without a reload.
    await owner.callOk('PATCH', `/gadgets/${gadgetIds[0]}`, { state_id: 'forced' });
    await page.locator('.page-header').getByText('Forced open').waitFor();
    await page.getByRole('button', { name: /(Set the state|Zustand melden): Locked/ }).click();
    await page.locator('.page-header').getByText('Locked', { exact: true }).waitFor();
    await page.getByRole('button', { name: /(Send the signal|Signal senden): Doorbell/ }).click();
    await page
      .getByText(/Front door reports: Doorbell|Front door meldet: Doorbell/)
      .first()
      .waitFor();
  };
  it('shows a door with its state, rules and the people who can open it', () => walkDoor(desktop));
  it('shows a door on a phone in German', () => walkDoor(germanPhone));

  const walkDoors: Walk = async options => {
    const page = await open('/doors', options);
    await page.getByRole('link', { name: 'Lounge' }).waitFor();
    await page.getByText(/(Local time|Ortszeit) .*\(Europe\/Madrid\)/).waitFor();
    await checkScreen(page, 'admin-doors');
    await owner.callOk('PATCH', `/gadgets/${gadgetIds[2]}`, { state_id: 'forced' });
    await page.getByText('Forced open').waitFor();
    const attention = page.getByRole('switch', { name: /Needs attention|Zu beachten/ });
    await attention.click();
    await page.getByRole('link', { name: 'Room 101' }).waitFor({ state: 'detached' });
    await page.getByText(/Lounge was forced open|Lounge wurde aufgebrochen/).waitFor();
    await checkScreen(page, 'admin-doors-attention');
    await owner.callOk('PATCH', `/gadgets/${gadgetIds[2]}`, { state_id: 'locked' });
    await page.getByRole('link', { name: 'Lounge' }).waitFor({ state: 'detached' });
    await attention.click();
    await page.getByRole('radio', { name: /Controllers|Controller/ }).check();
    await page.getByRole('link', { name: 'Garage controller' }).waitFor();
    await checkScreen(page, 'admin-devices');
  };
  it('lists doors and controllers with live states', () => walkDoors(desktop));
  it('lists doors and controllers on a phone in German', () => walkDoors(germanPhone));

  it('creates, edits and deletes a site, and explains why a site with controllers is kept', async () => {
    const page = await open('/doors', phone);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add site' }).click();
    await dialog.getByLabel('Name').fill('Annex');
    await dialog.getByLabel('Time zone').fill('Madrid');
    await dialog.getByText('This time zone does not exist').waitFor();
    await dialog.getByLabel('Time zone').fill('Asia/Kolkata');
    await dialog.getByLabel('Location (optional)').fill('22.57, 88.36');
    await checkScreen(page, 'admin-site');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('(Asia/Kolkata)').waitFor();
    await page.getByRole('button', { name: 'Edit Annex' }).click();
    await dialog.getByLabel('Radius in meters').fill('250');
    await dialog.getByLabel('Name').fill('Annex East');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Annex East' }).waitFor();
    const { body } = await owner.get('/sites');
    const location = { lat: 22.57, lng: 88.36 };
    expect(body.data.find(({ name }) => name === 'Annex East')?.geo).toEqual({ location, radius: 250 });
    await page.getByRole('button', { name: 'Delete: Annex East' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Annex East', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete: Hotel Lintel' }).click();
    await dialog.getByText('The site has controllers').waitFor();
    await dialog.getByRole('link', { name: 'Garage controller' }).waitFor();
  });

  it('reloads after a change while the browser reports no internet', async () => {
    await owner.callOk('POST', '/sites', { name: 'Island', timezone: 'Europe/Madrid' });
    const page = await open('/doors');
    await page.getByRole('heading', { name: 'Island' }).waitFor();
    await page.evaluate(`window.dispatchEvent(new Event('offline'))`);
    await page.getByRole('button', { name: 'Delete: Island' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Island', exact: true }).waitFor({ state: 'detached' });
  });

  it('scrolls through 500 doors and renders only the visible ones', async () => {
    const client = await bridge.newOrganization();
    const site_id = await createTestSite(bridge, client, { name: 'Big hotel' });
    for (let floor = 0; floor < 10; floor += 1)
      await createTestDevice(bridge, client, {
        site_id,
        name: `Floor ${floor}`,
        gadgets: Array.from({ length: 50 }, (_, room) => ({ ...door, name: `Room ${floor * 50 + room + 1}` })),
      });
    const manager = await openAdminSession(bridge, client.organizationId, 'owner');
    const page = await open('/doors', desktop, manager);
    await page.getByRole('link', { name: 'Room 1', exact: true }).waitFor();
    expect(await page.locator('.place-row').count()).toBeLessThan(60);
    await page.getByRole('searchbox', { name: 'Filter by name' }).fill('room 500');
    await page.getByRole('link', { name: 'Room 500' }).waitFor();
    await page.getByRole('link', { name: 'Room 1', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Filter by name' }).fill('');
    await page.getByRole('link', { name: 'Room 1', exact: true }).waitFor();
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    await page.getByRole('link', { name: 'Room 500' }).waitFor();
  });

  it('opens a door after a confirmation', async () => {
    const page = await open(`/doors/${gadgetIds[1]}`);
    await page.getByRole('button', { name: 'Open: Room 101', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('owner opened Room 101 remotely', { exact: true }).waitFor();
    await page.getByText(/^Last: owner opened Room 101 remotely, today/).waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Suite 101');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Suite 101', level: 1 }).waitFor();
  });

  it('explains why a person cannot open the door', async () => {
    const page = await open(`/doors/${gadgetIds[0]}`, phone);
    await page.getByRole('button', { name: 'Check a person' }).click();
    await page.getByLabel('Search by name, email or reference').fill('nora');
    await page.getByRole('button', { name: 'Nora Nowhere' }).click();
    await page.getByText(/Nora Nowhere cannot open Front door/).waitFor();
    await checkScreen(page, 'admin-door-why');
  });

  it('creates, changes and deletes a trigger, and explains a rejected one', async () => {
    const page = await open(`/doors/${gadgetIds[0]}`, phone);
    await page.getByRole('button', { name: 'Add trigger' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Event').selectOption('signal doorbell');
    await dialog.getByLabel('Door', { exact: true }).selectOption({ label: 'Garage' });
    await checkScreen(page, 'admin-trigger');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/must be virtual if the source is virtual/).waitFor();
    await dialog.getByLabel('Door', { exact: true }).selectOption({ label: 'Lounge' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    const sentence = 'When Front door: Doorbell, then Lounge: Open';
    await page.getByText(sentence).waitFor();
    await page.getByRole('button', { name: `Edit trigger: ${sentence}` }).click();
    await dialog.getByLabel('Action').selectOption('hold');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('then Lounge: Hold open').waitFor();
    await page.getByRole('button', { name: /^Delete: When/ }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No trigger uses this door').waitFor();
  });

  it('shows an offline door without actions, and hides what the role does not allow', async () => {
    const viewer = await openAdminSession(bridge, owner.organizationId, 'viewer');
    const page = await open(`/doors/${garageId}`, desktop, viewer);
    await page.getByRole('heading', { name: 'Garage', level: 1 }).waitFor();
    await page.locator('.page-header').getByText('Offline').waitFor();
    await page.getByRole('button', { name: /Rename|Add trigger|^Open/ }).waitFor({ state: 'detached' });
  });

  it('looks as in the documentation', async () => {
    const page = await open(`/doors/${gadgetIds[0]}`);
    await page.getByText('Sam Supplier').waitFor();
    await savePicture(page, 'door-desktop');
    const list = await open('/doors', phone);
    await list.getByRole('link', { name: 'Lounge' }).waitFor();
    await savePicture(list, 'doors-phone');
  });
});
