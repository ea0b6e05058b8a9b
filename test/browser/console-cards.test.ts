import { instant } from '@lintel/access-core/instant';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TechnicianServer } from '@lintel/device-runtime/testing';
import { type AdminClient, openAdminSession } from '../support/bridge/admin-client.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import {
  consoleOpener,
  germanPhone,
  savePicture,
  type Walk,
} from '../support/browser/console-opener-and-docs-screenshots.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { desktop, HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';
import { type FirmwareController, FirmwareSite } from '../support/devices/firmware-site.ts';
import { serveTechnicianPage } from '../support/technician/remote-technician-client.ts';

const stock = ['printed_code,uid,name', 'LNT-1,04a1b2c3d4e501,', 'LNT-2,04a1b2c3d4e502,', 'LNT-3,04a1b2c3d4e503,'];

describe('cards in the admin console', { tags: ['slow'] }, () => {
  const browser = useBrowser();
  let bridge: TestBridge;
  let site: FirmwareSite;
  let door: FirmwareController;
  let technicianPage: TechnicianServer;
  let address: string;
  let owner: AdminClient;
  const open = consoleOpener(
    browser,
    () => address,
    () => owner,
  );

  beforeAll(async () => {
    bridge = await TestBridge.open({ publicUrl: undefined, isTicking: true });
    bridge.now = instant(Date.now());
    address = await bridge.listen('127.0.0.1', 0);
    site = await FirmwareSite.open(bridge);
    owner = await openAdminSession(bridge, site.client.organizationId, 'owner');
    await owner.callOk('PATCH', '', { name: 'Hotel Lintel' });
    door = await site.claimController();
    door.start();
    technicianPage = await serveTechnicianPage(door);
    await door.waitUntilSynced();
  }, HOOK_TIMEOUT);
  afterAll(async () => {
    await technicianPage.stop();
    await site.close();
    await bridge.close();
  }, HOOK_TIMEOUT);

  const newMember = async (name: string, uid: string): Promise<string> => {
    const id = await site.createMember(await site.createGroup(door.gadgetId), { uid });
    await owner.callOk('PATCH', `/members/${id}`, { name });
    return id;
  };
  const tap = async (uid: string): Promise<void> => {
    await expect.poll(() => door.running.controller.technician.tapCapture.isWaiting).toBe(true);
    door.running.reader.tap(uid);
  };

  const walkCards: Walk = async options => {
    const code = options.locale === 'de-DE' ? 'D' : 'E';
    const uid = `04a1b2c3d4e6${code === 'D' ? '01' : '02'}`;
    await newMember(`Ann ${code}`, uid);
    const page = await open('/cards', options);
    await page.getByRole('button', { name: /Import cards|Karten importieren/ }).click();
    const dialog = page.getByRole('dialog');
    const choose = (lines: readonly string[]) =>
      dialog
        .getByLabel(/CSV/)
        .setInputFiles({ name: 'cards.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
    await choose([...stock, 'LNT-9,4711,']);
    await dialog.getByText(/Line 5|Zeile 5/).waitFor();
    await checkScreen(page, 'cards-import');
    await choose([stock[0]!, `${code}-1,04a1b2c3d4e7${code}1,`]);
    await dialog.getByRole('button', { name: /Import 1 card|1 Karten importieren/ }).click();
    await page.getByText(`${code}-1`).first().waitFor();

    await page.getByRole('button', { name: /^(Read a card|Karte lesen)$/ }).click();
    await dialog.getByRole('button', { name: /Read a card now|Jetzt eine Karte lesen/ }).click();
    await dialog.getByText(/Hold the card at Front now|Halten Sie die Karte jetzt an Front/).waitFor();
    await checkScreen(page, 'cards-tap');
    await tap(uid);
    await page.getByRole('link', { name: `Ann ${code}` }).waitFor();
    await page.getByText('LNT-1').waitFor({ state: 'detached' });
    await checkScreen(page, 'cards');
    expect(door.isUnlocked).toBe(false);
  };
  it('imports stock and finds the owner of a card that is held at a reader', { tags: ['slow'] }, () =>
    walkCards(desktop),
  );
  it('imports stock and reads a card on a phone in German', { tags: ['slow'] }, () => walkCards(germanPhone));

  it('replaces a lost card from the page of the member and shows when every door has it', async () => {
    const id = await newMember('Ben Lost', '04a1b2c3d4e5f1');
    await door.waitUntilSynced();
    const page = await open(`/members/${id}`, phone);
    await page.getByRole('button', { name: 'Replace: Card 04a1b2c3d4e5f1' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Hold at a reader').click();
    await dialog.getByRole('button', { name: 'Read a card now' }).click();
    await expect.poll(() => door.running.controller.technician.tapCapture.isWaiting).toBe(true);
    await dialog.getByRole('button', { name: 'Stop reading' }).click();
    await expect.poll(() => door.running.controller.technician.tapCapture.isWaiting).toBe(false);
    await dialog.getByRole('button', { name: 'Read a card now' }).click();
    await tap('04a1b2c3d4e5f2');
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

  it('shows that a deleted card is still accepted while its door is offline, and when the door has removed it', async () => {
    const id = await newMember('Eve Deletes', '04a1b2c3d4e5d1');
    await door.waitUntilSynced();
    const page = await open('/cards?search=04a1b2c3d4e5d1', phone);
    await page.getByRole('link', { name: 'Eve Deletes' }).waitFor();
    await door.stop();
    await expect
      .poll(async () => (await owner.callOk('GET', `/devices/${door.deviceId}`))['status'])
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
    await owner.callOk('POST', `/members/${id}/pins`, { pin: '481516' });
    await page.getByRole('button', { name: 'Delete: PIN with 6 digits' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('PIN with 6 digits is deleted').waitFor();
    await dialog.getByText(/^Removed from the door, \d/).waitFor();
    await checkScreen(page, 'member-deleted-credentials');
  });

  it('keeps the old card if the new one is refused', async () => {
    const id = await newMember('Dan Keeps', '04a1b2c3d4e5e1');
    const page = await open(`/members/${id}`);
    await page.getByRole('button', { name: 'Replace: Card 04a1b2c3d4e5e1' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Printed number or UID').fill('unknown code');
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    const holder = await newMember('Ann Holder', '04a1b2c3d4e5e2');
    await dialog.getByLabel('Printed number or UID').fill('04a1b2c3d4e5e2');
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    const link = dialog.getByRole('alert').getByRole('link', { name: 'Ann Holder' });
    expect(await link.getAttribute('href')).toContain(`/members/${holder}`);
    await checkScreen(page, 'card-of-another-member');
    const cards = await owner.callOk('GET', `/members/${id}/cards`);
    expect(cards.data.map(({ uid }) => uid)).toEqual(['04a1b2c3d4e5e1']);
    await dialog.getByLabel('Printed number or UID').fill('04a1b2c3d4e5e3');
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    await dialog.getByText('The card is replaced').waitFor();
    const replaced = await owner.callOk('GET', `/members/${id}/cards`);
    expect(replaced.data.map(({ uid }) => uid)).toEqual(['04a1b2c3d4e5e3']);
  });

  it('assigns a stock card, and hides what the role does not allow', { tags: ['slow'] }, async () => {
    await owner.callOk('POST', '/card_stock', { csv: stock.join('\n') });
    await owner.callOk('POST', '/members', { name: 'Carla New' });
    const page = await open('/cards?search=lnt-2');
    await page.getByRole('button', { name: 'Assign: LNT-2' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Member', { exact: true }).fill('carla');
    await dialog.getByRole('button', { name: 'Carla New' }).click();
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await page.getByRole('link', { name: 'Carla New' }).waitFor();
    const viewer = await openAdminSession(bridge, owner.organizationId, 'viewer');
    const readOnly = await open('/cards', phone, viewer);
    await readOnly.getByText('LNT-2').waitFor();
    expect(await readOnly.getByRole('button', { name: /Assign|Replace|Delete|Import|Read/ }).count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search code' }).fill('');
    await page.getByText('LNT-3').waitFor();
    await page.getByRole('heading', { name: 'Cards' }).click();
    await savePicture(page, 'cards-desktop');
  });
});
