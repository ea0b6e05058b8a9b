import { describe, expect, onTestFinished } from 'vitest';
import { createTestDevice, door } from '../../support/bridge/site-fixtures.ts';
import { type Hotel, test, testWalk } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { savePicture } from '../../support/browser/pictures.ts';
import { HOOK_TIMEOUT, phone } from '../../support/browser/test-browser.ts';
import { ControllerIdentity } from '../../support/devices/controller-identity.ts';
import { TestController } from '../../support/devices/test-controller.ts';

/** An online controller that had a power failure and has a fault. */
const startController = async ({ bridge, client, siteId }: Hotel): Promise<TestController> => {
  const gadgets = ['Main entrance', 'Kitchen'].map(name => ({ ...door, name }));
  const device = { name: 'Ground floor', product_id: 'laptop-simulator', gadgets };
  const controller = await TestController.claim(bridge, client, { site_id: siteId }, device);
  onTestFinished(() => controller.stop(), HOOK_TIMEOUT);
  await controller.start(`mqtt://127.0.0.1:${await bridge.devices.broker!.listen('127.0.0.1', 0)}`);
  const fault = { code: 'reader:front', since: bridge.now, message: 'The reader front does not answer' };
  const report = async (mains_present: boolean, battery_percent: number): Promise<void> => {
    const power = { mains_present, battery_present: true, battery_charging: mains_present, battery_percent };
    await controller.send('status', { v: 1, at: bridge.now, ...power, waiting_events: 0, faults: [fault] });
    await bridge.devices.whenIdle();
  };
  await report(true, 98);
  await report(false, 64);
  await report(true, 70);
  return controller;
};

describe('controllers', () => {
  test.override({ doors: [] });

  testWalk('shows a controller with its connection, faults and doors', async (hotel, options) => {
    const controller = await startController(hotel);
    const page = await hotel.open(`/devices/${controller.deviceId}`, options);
    await page.getByRole('heading', { name: 'Ground floor', level: 1 }).waitFor();
    await page.locator('.page-header').getByText('Online').waitFor();
    await page.getByText(controller.identity.hardwareId).waitFor();
    await page.getByText(/(Current|Aktuell) \((revision|Revision) \d+\)|\d+ (confirmed|bestätigt)/).waitFor();
    await page
      .getByText(/^(A reader of Ground floor does not answer|Ein Leser von Ground floor antwortet nicht) \(front\)$/)
      .waitFor();
    await page.getByText(/Check the cable and the power of the reader|Prüfen Sie Kabel und Strom des Lesers/).waitFor();
    const health = page.getByRole('region', { name: /Health in the last 30 days|Zustand der letzten 30 Tage/ });
    await health.getByText(/^(Battery 70 %, lowest 64 %|Batterie 70 %, niedrigster Stand 64 %) \(/).waitFor();
    await health.getByText(/^(Power failure|Stromausfall)/).waitFor();
    await health.getByText(/^(since|seit) /).waitFor();
    await page.getByRole('link', { name: 'Kitchen' }).waitFor();
    await page.getByRole('img', { name: /QR code of the technician page|QR-Code der Technikerseite/ }).waitFor();
    await checkScreen(page, 'admin-device');
  });

  testWalk('edits and copies input rules', { tags: ['slow'] }, async (hotel, options) => {
    const { bridge, client, owner, siteId: site_id } = hotel;
    const gadgets = [{ ...door, name: 'Suite' }];
    const { deviceId, gadgetId } = await createTestDevice(bridge, client, {
      site_id,
      name: 'Rules here',
      gadgets,
    });
    const rulesOf = async (id: string) => (await owner.callOk('GET', `/devices/${id}/input_rules`))['input_rules'];
    const page = await hotel.open(`/devices/${deviceId}`, options);
    await page.getByRole('button', { name: /Add a rule|Regel hinzufügen/ }).click();
    await page.getByLabel(/Code before the PIN or card|Code vor der PIN oder Karte/).fill('5a');
    await page.getByText(/Use only the keys|Verwenden Sie nur die Tasten/).waitFor();
    await page.getByLabel(/Code before the PIN or card|Code vor der PIN oder Karte/).fill('5');
    await page.getByLabel(/^(Opens|Öffnet)$/).selectOption({ label: 'Suite' });
    await page.getByRole('button', { name: /^(Done|Fertig)$/ }).click();
    await page.getByRole('button', { name: '5', exact: true }).click();
    await page.getByText(/Opens Suite. Enter a PIN|Öffnet Suite. Geben Sie eine PIN/).waitFor();
    await checkScreen(page, 'admin-rules');
    await page.getByRole('button', { name: /^(Save|Speichern)$/ }).click();
    await page.getByText(/The input rules are saved|Die Eingaberegeln sind gespeichert/).waitFor();
    expect(await rulesOf(deviceId)).toEqual([{ code: '5', gadget_id: gadgetId, action_id: 'open' }]);
    // A change by someone else is shown beside the draft.
    await page.getByRole('button', { name: /Code 5/ }).click();
    await page.getByLabel(/Code before the PIN or card|Code vor der PIN oder Karte/).fill('6');
    await page.getByRole('button', { name: /^(Done|Fertig)$/ }).click();
    await owner.callOk('PUT', `/devices/${deviceId}/input_rules`, {
      input_rules: [{ code: '77', gadget_id: gadgetId, action_id: 'hold' }],
    });
    await page.getByText(/The rules were changed by someone else|Jemand anderes hat die Regeln/).waitFor();
    await page.getByRole('button', { name: /Use the current rules|Die aktuellen Regeln verwenden/ }).click();
    await page.getByRole('button', { name: /Code 77/ }).waitFor();
    const target = await createTestDevice(bridge, client, { site_id, name: 'Rules there', gadgets });
    await page.getByRole('button', { name: /Copy to other|Auf andere Controller/ }).click();
    await page.getByLabel('Rules there').check();
    await page.getByRole('button', { name: /^(Copy|Kopieren)$/ }).click();
    await page.getByText(/The rules are copied to 1|Die Regeln sind auf 1/).waitFor();
    expect(await rulesOf(target.deviceId)).toEqual([{ code: '77', gadget_id: target.gadgetId, action_id: 'hold' }]);
  });

  testWalk('adds a controller that claims with the code', async (hotel, options) => {
    const page = await hotel.open('/devices/new', options);
    await page.getByRole('button', { name: /Show the claim code|Übernahmecode anzeigen/ }).click();
    const code = await page.getByRole('status', { name: /Claim code|Übernahmecode/ }).innerText();
    expect(code).toMatch(/^\w{4}-\w{4}-\w{4}$/);
    await page.getByText(/Waiting for the controller|Warten auf den Controller/).waitFor();
    const qrCode = page.getByRole('img', { name: /QR code of the claim ticket|QR-Code des Übernahmetickets/ });
    const box = (await qrCode.boundingBox())!;
    // Without scrolling on a laptop.
    if (options.viewport?.width === 1280) expect(box.y + box.height).toBeLessThan(900);
    await checkScreen(page, 'admin-claim');
    const identity = new ControllerIdentity(hotel.bridge);
    await identity.redeem(hotel.bridge, { code, name: 'controller-7f3a', gadgets: [{ ...door, name: 'Door' }] });
    await page.getByText(/controller-7f3a (is connected|gehört jetzt)/).waitFor();
    await page.getByLabel('Controller', { exact: true }).fill('Second floor');
    await page.getByLabel(/^(Door|Tür) 1$/).fill('Room 201');
    await checkScreen(page, 'admin-name-device');
    await page.getByRole('button', { name: /Save and open|Speichern und/ }).click();
    await page.getByRole('heading', { name: 'Second floor', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Room 201' }).waitFor();
  });

  test('creates a virtual door', { tags: ['slow'] }, async ({ hotel }) => {
    const page = await hotel.open('/doors', phone);
    await page.getByRole('link', { name: 'Add controller' }).click();
    await page.getByRole('radio', { name: 'A virtual door to try' }).check();
    await page.getByLabel('Name of the door').fill('Demo door');
    await checkScreen(page, 'admin-virtual');
    await page.getByRole('button', { name: 'Create the door' }).click();
    await page.getByRole('link', { name: 'Demo door' }).click();
    await page.getByRole('button', { name: 'Open: Demo door' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
    await page.locator('.page-header').getByText('Unlocked').waitFor();
  });

  test('renames a device, and deletes it with the rules that use it after an explanation', async ({ hotel }) => {
    const { bridge, client, siteId: site_id } = hotel;
    const doomed = await createTestDevice(bridge, client, { site_id, name: 'Old gate' });
    await createTestDevice(bridge, client, {
      site_id,
      name: 'Porter',
      input_rules: [{ code: '', gadget_id: doomed.gadgetId, action_id: 'open' }],
    });
    const page = await hotel.open(`/devices/${doomed.deviceId}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Rename' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Older gate');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Older gate', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText(/Input rules of other controllers or triggers use its doors/).waitFor();
    await dialog.getByText('Porter: PIN or card without a code: Front door').waitFor();
    await checkScreen(page, 'admin-delete-device');
    await dialog.getByRole('button', { name: 'Delete with rules and triggers' }).click();
    await page.getByRole('heading', { name: 'Doors and controllers' }).waitFor();
    await page.getByRole('link', { name: 'Porter' }).waitFor();
    await page.getByRole('link', { name: 'Older gate' }).waitFor({ state: 'detached' });
  });

  test('looks as in the documentation', { tags: ['slow'] }, async ({ hotel }) => {
    const controller = await startController(hotel);
    const page = await hotel.open(`/devices/${controller.deviceId}`);
    await page.getByRole('link', { name: 'Kitchen' }).waitFor();
    await savePicture(page, 'console-device-desktop');
    const claim = await hotel.open('/devices/new', phone);
    await claim.getByRole('button', { name: 'Show the claim code' }).click();
    await claim.getByRole('img', { name: 'QR code of the claim ticket' }).scrollIntoViewIfNeeded();
    await savePicture(claim, 'console-claim-phone');
  });

  test('replaces the hardware with a ticket', { tags: ['slow'] }, async ({ hotel }) => {
    const controller = await startController(hotel);
    const page = await hotel.open(`/devices/${controller.deviceId}`);
    await page.getByRole('button', { name: 'Replace hardware' }).click();
    const code = await page.getByRole('status', { name: 'Claim code' }).innerText();
    const identity = new ControllerIdentity(hotel.bridge);
    await identity.redeem(hotel.bridge, { code, product_id: 'laptop-simulator' });
    await page.getByText('The hardware of Ground floor is replaced').waitFor();
    await page.getByText(identity.hardwareId).waitFor();
    await page.locator('.page-header').getByText('Offline').waitFor();
  });
});
