import { describe, expect } from 'vitest';
import { callAsOwner } from '../../support/bridge/admin-client.ts';
import { createTestDevice, createTestSite, door } from '../../support/bridge/site-fixtures.ts';
import { type Hotel, test, testWalk } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { savePicture } from '../../support/browser/pictures.ts';
import { desktop, phone } from '../../support/browser/test-browser.ts';

const doorWithStates = {
  ...door,
  states: [
    { id: 'locked', name: 'Locked' },
    { id: 'unlocked', name: 'Unlocked' },
    { id: 'forced', name: 'Forced open' },
  ],
  signals: [{ id: 'doorbell', name: 'Doorbell' }],
};

interface Doors {
  readonly front: string;
  readonly room: string;
  readonly lounge: string;
  /** Of a controller with hardware, which is offline. */
  readonly garage: string;
}

const addDoors = async ({ bridge, client, siteId: site_id }: Hotel): Promise<Doors> => {
  const device = await createTestDevice(bridge, client, {
    site_id,
    name: 'First floor',
    gadgets: ['Front door', 'Room 101', 'Lounge'].map(name => ({ ...doorWithStates, name })),
  });
  const garage = await createTestDevice(bridge, client, {
    site_id,
    name: 'Garage controller',
    hardware_id: bridge.services.newId('hardware'),
    gadgets: [{ ...door, name: 'Garage' }],
  });
  const [front, room, lounge] = device.gadgetIds;
  const input_rules = [
    { code: '', gadget_id: front, action_id: 'open' },
    { code: '#7', gadget_id: room, action_id: 'open' },
  ];
  await callAsOwner(bridge, client, 'PUT', `/devices/${device.deviceId}/input_rules`, { input_rules });
  return { front: front!, room: room!, lounge: lounge!, garage: garage.gadgetId };
};

/** One who may open all doors, one who may not now, and one who may never. */
const addMembers = async ({ client }: Hotel): Promise<void> => {
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
    if (member_group_id !== null) await client.callOk('POST', `/members/${id}/group_associations`, { member_group_id });
  }
};

describe('doors', () => {
  test.override({ doors: [] });

  testWalk('shows a door with its state, rules and the people who can open it', async (hotel, options) => {
    const { front } = await addDoors(hotel);
    await addMembers(hotel);
    const page = await hotel.open(`/doors/${front}`, options);
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
    await members
      .getByText(/(Open, Hold open|Öffnen, Offen halten): (during|während) Never, PIN (or card|oder Karte)/)
      .waitFor();
    await page.getByText(/PIN or card without a code: Open|PIN oder Karte ohne Code: Öffnen/).waitFor();
    await checkScreen(page, 'admin-door');
    // A report from elsewhere appears without a reload.
    await hotel.owner.callOk('PATCH', `/gadgets/${front}`, { state_id: 'forced' });
    await page.locator('.page-header').getByText('Forced open').waitFor();
    await page.getByRole('button', { name: /(Set the state|Zustand melden): (Locked|Verriegelt)/ }).click();
    await page
      .locator('.page-header')
      .getByText(/^(Locked|Verriegelt)$/)
      .waitFor();
    await page.getByRole('button', { name: /(Send the signal|Signal senden): (Doorbell|Türklingel)/ }).click();
    await page
      .getByText(/Front door reports: Doorbell|Front door meldet: Türklingel/)
      .first()
      .waitFor();
  });

  testWalk('lists doors and controllers with live states', async (hotel, options) => {
    const { lounge } = await addDoors(hotel);
    const page = await hotel.open('/doors', options);
    await page.getByRole('link', { name: 'Lounge' }).waitFor();
    await page.getByText(/(Local time|Ortszeit) .*\(Europe\/Madrid\)/).waitFor();
    await checkScreen(page, 'admin-doors');
    await hotel.owner.callOk('PATCH', `/gadgets/${lounge}`, { state_id: 'forced' });
    await page.getByText('Forced open').waitFor();
    const attention = page.getByRole('switch', { name: /Needs attention|Zu beachten/ });
    await attention.click();
    await page.getByRole('link', { name: 'Room 101' }).waitFor({ state: 'detached' });
    await page.getByText(/Lounge was forced open|Lounge wurde aufgebrochen/).waitFor();
    await checkScreen(page, 'admin-doors-attention');
    await hotel.owner.callOk('PATCH', `/gadgets/${lounge}`, { state_id: 'locked' });
    await page.getByRole('link', { name: 'Lounge' }).waitFor({ state: 'detached' });
    await attention.click();
    await page.getByRole('radio', { name: /Controllers|Controller/ }).check();
    await page.getByRole('link', { name: 'Garage controller' }).waitFor();
    await checkScreen(page, 'admin-devices');
  });

  test('creates, edits and deletes a site, with its controllers only after they are named', { tags: ['slow'] }, async ({
    hotel,
  }) => {
    await addDoors(hotel);
    const page = await hotel.open('/doors', phone);
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
    const { body } = await hotel.owner.get('/sites');
    const location = { lat: 22.57, lng: 88.36 };
    expect(body.data.find(({ name }) => name === 'Annex East')?.geo).toEqual({ location, radius: 250 });
    await page.getByRole('button', { name: 'Delete: Annex East' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Annex East', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete: Hotel Lintel' }).click();
    await dialog.getByText('The site has controllers').waitFor();
    await dialog.getByRole('link', { name: 'Garage controller' }).waitFor();
    await dialog.getByText('First floor: Front door, Lounge, Room 101').waitFor();
    await checkScreen(page, 'admin-delete-site');
    await dialog.getByRole('button', { name: 'Delete with controllers and doors' }).click();
    await page.getByRole('heading', { name: 'Hotel Lintel', level: 2 }).waitFor({ state: 'detached' });
    expect((await hotel.owner.get('/gadgets')).body.data).toEqual([]);
    await page.getByText('2 deleted sites').click();
    await page.getByRole('button', { name: 'Restore Hotel Lintel' }).click();
    await checkScreen(page, 'admin-restore-site');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Hotel Lintel is restored').waitFor();
    await page.getByRole('link', { name: /Front door/ }).waitFor();
    await page.getByText('1 deleted site', { exact: true }).waitFor();
  });

  test('reloads after a change while the browser reports no internet', async ({ hotel }) => {
    await hotel.owner.callOk('POST', '/sites', { name: 'Island', timezone: 'Europe/Madrid' });
    const page = await hotel.open('/doors');
    await page.getByRole('heading', { name: 'Island' }).waitFor();
    await page.evaluate(`window.dispatchEvent(new Event('offline'))`);
    await page.getByRole('button', { name: 'Delete: Island' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Island', exact: true }).waitFor({ state: 'detached' });
  });

  test('scrolls through 500 doors and renders only the visible ones', { tags: ['slow'] }, async ({ hotel }) => {
    const { bridge, client } = hotel;
    const site_id = await createTestSite(bridge, client, { name: 'Big hotel' });
    for (let floor = 0; floor < 10; floor += 1)
      await createTestDevice(bridge, client, {
        site_id,
        name: `Floor ${floor}`,
        gadgets: Array.from({ length: 50 }, (_, room) => ({ ...door, name: `Room ${floor * 50 + room + 1}` })),
      });
    const page = await hotel.open('/doors');
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

  test('opens a door after a confirmation', async ({ hotel }) => {
    const { room } = await addDoors(hotel);
    const page = await hotel.open(`/doors/${room}`);
    await page.getByRole('button', { name: 'Open: Room 101', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('Olivia opened Room 101 remotely', { exact: true }).waitFor();
    await page.getByText(/^Last: Olivia opened Room 101 remotely, today/).waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Suite 101');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Suite 101', level: 1 }).waitFor();
  });

  test('explains why a person cannot open the door', async ({ hotel }) => {
    const { front } = await addDoors(hotel);
    await addMembers(hotel);
    const page = await hotel.open(`/doors/${front}`, phone);
    await page.getByRole('button', { name: 'Check a person' }).click();
    await page.getByLabel('Search by name, email or reference').fill('nora');
    await page.getByRole('button', { name: 'Nora Nowhere' }).click();
    await page.getByText(/Nora Nowhere cannot open Front door/).waitFor();
    await checkScreen(page, 'admin-door-why');
  });

  test('creates, changes and deletes a trigger, and explains a rejected one', async ({ hotel }) => {
    const { front } = await addDoors(hotel);
    const page = await hotel.open(`/doors/${front}`, phone);
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

  test('shows an offline door without actions, and hides what the role does not allow', async ({ hotel }) => {
    const { garage } = await addDoors(hotel);
    const viewer = await hotel.newUser('viewer');
    const page = await hotel.open(`/doors/${garage}`, desktop, viewer);
    await page.getByRole('heading', { name: 'Garage', level: 1 }).waitFor();
    await page.locator('.page-header').getByText('Offline').waitFor();
    await page.getByRole('button', { name: /Rename|Add trigger|^Open/ }).waitFor({ state: 'detached' });
  });

  test('looks as in the documentation', { tags: ['slow'] }, async ({ hotel }) => {
    const { front } = await addDoors(hotel);
    await addMembers(hotel);
    const page = await hotel.open(`/doors/${front}`);
    await page.getByText('Sam Supplier').waitFor();
    await savePicture(page, 'console-door-desktop');
    const list = await hotel.open('/doors', phone);
    await list.getByRole('link', { name: 'Lounge' }).waitFor();
    await savePicture(list, 'console-doors-phone');
  });
});
