import { describe, expect, onTestFinished } from 'vitest';
import { type Hotel, test, testWalk } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { savePicture } from '../../support/browser/pictures.ts';
import { HOOK_TIMEOUT, phone } from '../../support/browser/test-browser.ts';
import { type FirmwareController, FirmwareSite } from '../../support/devices/firmware-site.ts';
import { serveTechnicianPage } from '../../support/technician/remote-technician-client.ts';

const stock = ['printed_code,uid,name', 'LNT-1,04a1b2c3d4e501,', 'LNT-2,04a1b2c3d4e502,', 'LNT-3,04a1b2c3d4e503,'];

/** A door of the hotel with the real firmware. */
const startDoor = async ({ bridge, client }: Hotel): Promise<FirmwareController> => {
  const site = await FirmwareSite.open(bridge, { client });
  onTestFinished(() => site.close(), HOOK_TIMEOUT);
  const door = await site.claimController();
  door.start();
  const technicianPage = await serveTechnicianPage(door);
  onTestFinished(() => technicianPage.stop(), HOOK_TIMEOUT);
  await door.waitUntilSynced();
  return door;
};

const newMember = async ({ client }: Hotel, name: string, uid: string): Promise<string> => {
  const { id } = await client.callOk('POST', '/members', { name });
  await client.callOk('POST', `/members/${id}/cards`, { uid });
  return id;
};

/** May open all doors. */
const newGuest = async (hotel: Hotel, name: string, uid: string): Promise<string> => {
  const { client } = hotel;
  const id = await newMember(hotel, name, uid);
  const group = await client.callOk('POST', '/member_groups', { name: 'Guests', permissions: [{}] });
  await client.callOk('POST', `/members/${id}/group_associations`, { member_group_id: group.id });
  return id;
};

const tap = async (door: FirmwareController, uid: string): Promise<void> => {
  await expect.poll(() => door.running.controller.technician.tapCapture.isWaiting).toBe(true);
  door.running.reader.tap(uid);
};

describe('cards', () => {
  test.override({ doors: [] });

  testWalk('imports stock and finds the owner of a card that is held at a reader', async (hotel, options) => {
    const door = await startDoor(hotel);
    const uid = '04a1b2c3d4e601';
    await newMember(hotel, 'Ann Example', uid);
    const page = await hotel.open('/cards', options);
    await page.getByRole('button', { name: /Import cards|Karten importieren/ }).click();
    const dialog = page.getByRole('dialog');
    const choose = (lines: readonly string[]) =>
      dialog
        .getByLabel(/CSV/)
        .setInputFiles({ name: 'cards.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
    await choose([...stock, 'LNT-9,4711,']);
    await dialog.getByText(/Line 5|Zeile 5/).waitFor();
    await checkScreen(page, 'cards-import');
    await choose([stock[0]!, 'LNT-7,04a1b2c3d4e701,']);
    await dialog.getByRole('button', { name: /Import 1 card|1 Karten importieren/ }).click();
    await page.getByText('LNT-7').first().waitFor();

    await page.getByRole('button', { name: /^(Read a card|Karte lesen)$/ }).click();
    await dialog.getByRole('button', { name: /Read a card now|Jetzt eine Karte lesen/ }).click();
    await dialog.getByText(/Hold the card at Front now|Halten Sie die Karte jetzt an Front/).waitFor();
    await checkScreen(page, 'cards-tap');
    await tap(door, uid);
    await page.getByRole('link', { name: 'Ann Example' }).waitFor();
    await page.getByText('LNT-7').waitFor({ state: 'detached' });
    await checkScreen(page, 'cards');
    expect(door.isUnlocked).toBe(false);
  });

  test('replaces a lost card from the page of the member and shows when every door has it', async ({ hotel }) => {
    const door = await startDoor(hotel);
    const id = await newGuest(hotel, 'Ben Lost', '04a1b2c3d4e5f1');
    await door.waitUntilSynced();
    const page = await hotel.open(`/members/${id}`, phone);
    await page.getByRole('button', { name: 'Replace: Card 04a1b2c3d4e5f1' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Hold at a reader').click();
    await dialog.getByRole('button', { name: 'Read a card now' }).click();
    await expect.poll(() => door.running.controller.technician.tapCapture.isWaiting).toBe(true);
    await dialog.getByRole('button', { name: 'Stop reading' }).click();
    await expect.poll(() => door.running.controller.technician.tapCapture.isWaiting).toBe(false);
    await dialog.getByRole('button', { name: 'Read a card now' }).click();
    await tap(door, '04a1b2c3d4e5f2');
    await dialog.getByLabel('Printed number or UID').waitFor();
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    await dialog.getByText(/^Removed from the door, \d/).waitFor();
    await dialog.getByText('Works at all doors of this member').waitFor();
    await checkScreen(page, 'card-replaced');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Card 04a1b2c3d4e5f2').waitFor();
    door.running.reader.tap('04a1b2c3d4e5f1');
    door.running.reader.tap('04a1b2c3d4e5f2');
    await expect.poll(() => door.recorded.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['deny', 'use']));
  });

  test('shows that a deleted card is still accepted while its door is offline, and when the door has removed it', {
    tags: ['slow'],
  }, async ({ hotel }) => {
    const door = await startDoor(hotel);
    const id = await newGuest(hotel, 'Eve Deletes', '04a1b2c3d4e5d1');
    await door.waitUntilSynced();
    const page = await hotel.open('/cards?search=04a1b2c3d4e5d1', phone);
    await page.getByRole('link', { name: 'Eve Deletes' }).waitFor();
    await door.stop();
    await expect
      .poll(async () => (await hotel.owner.callOk('GET', `/devices/${door.deviceId}`))['status'])
      .toMatchObject({ online: false });
    await page.getByRole('button', { name: 'Delete: 04a1b2c3d4e5d1' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('Still accepted at 1 door that is offline: Front door').waitFor();
    await checkScreen(page, 'card-deleted-offline');
    door.start();
    await dialog.getByText(/^Removed from the door, \d/).waitFor();
    await page.goto(page.url().replace(/cards.*/, `members/${id}`));
    const deleted = page.getByRole('list', { name: 'Recently deleted' });
    await deleted.getByText(/^Card 04a1b2c3d4e5d1, deleted today/).waitFor();
    await deleted.getByText('Removed from the door').waitFor();
    await hotel.owner.callOk('POST', `/members/${id}/pins`, { pin: '481516' });
    await page.getByRole('button', { name: 'Delete: PIN with 6 digits' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('PIN with 6 digits is deleted').waitFor();
    await dialog.getByText(/^Removed from the door, \d/).waitFor();
    await checkScreen(page, 'member-deleted-credentials');
  });

  test('keeps the old card if the new one is refused', { tags: ['slow'] }, async ({ hotel }) => {
    const id = await newMember(hotel, 'Dan Keeps', '04a1b2c3d4e5e1');
    const page = await hotel.open(`/members/${id}`);
    await page.getByRole('button', { name: 'Replace: Card 04a1b2c3d4e5e1' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Printed number or UID').fill('unknown code');
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    const holder = await newMember(hotel, 'Ann Holder', '04a1b2c3d4e5e2');
    await dialog.getByLabel('Printed number or UID').fill('04a1b2c3d4e5e2');
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    const link = dialog.getByRole('alert').getByRole('link', { name: 'Ann Holder' });
    expect(await link.getAttribute('href')).toContain(`/members/${holder}`);
    await checkScreen(page, 'card-of-another-member');
    const cards = await hotel.owner.callOk('GET', `/members/${id}/cards`);
    expect(cards.data.map(({ uid }) => uid)).toEqual(['04a1b2c3d4e5e1']);
    await dialog.getByLabel('Printed number or UID').fill('04a1b2c3d4e5e3');
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    await dialog.getByText('The card is replaced').waitFor();
    const replaced = await hotel.owner.callOk('GET', `/members/${id}/cards`);
    expect(replaced.data.map(({ uid }) => uid)).toEqual(['04a1b2c3d4e5e3']);
  });

  test('assigns a stock card, and hides what the role does not allow', async ({ hotel }) => {
    await hotel.owner.callOk('POST', '/card_stock', { csv: stock.join('\n') });
    await hotel.owner.callOk('POST', '/members', { name: 'Carla New' });
    const page = await hotel.open('/cards?search=lnt-2');
    await page.getByRole('button', { name: 'Assign: LNT-2' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Member', { exact: true }).fill('carla');
    await dialog.getByRole('button', { name: 'Carla New' }).click();
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await page.getByRole('link', { name: 'Carla New' }).waitFor();
    const viewer = await hotel.newUser('viewer');
    const readOnly = await hotel.open('/cards', phone, viewer);
    await readOnly.getByText('LNT-2').waitFor();
    expect(await readOnly.getByRole('button', { name: /Assign|Replace|Delete|Import|Read/ }).count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search code' }).fill('');
    await page.getByText('LNT-3').waitFor();
    await page.getByRole('heading', { name: 'Cards' }).click();
    await savePicture(page, 'console-cards-desktop');
  });
});
