import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createGuestWithLink } from '../support/bridge/guest-phone.ts';
import { door } from '../support/bridge/site-fixtures.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { desktop, HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';
import {
  type BluetoothSurroundings,
  provideWebBluetooth,
  removeWebBluetooth,
} from '../support/browser/web-bluetooth.ts';
import { type FirmwareController, FirmwareSite } from '../support/devices/firmware-site.ts';
import { waitUntil } from '../support/wait-until.ts';

const frontDoor = { ...door, name: 'Front door', actions: [{ id: 'open', name: 'Open' }] };
const garage = { ...frontDoor, name: 'Garage' };

const slow = { tags: ['slow'] };

/** The keys that the page stored, without their secrets. */
const readStoredKeys = `new Promise((resolve, reject) => {
  const request = indexedDB.open('lintel-phone');
  request.onerror = () => reject(request.error);
  request.onsuccess = () => {
    const all = request.result.transaction('keys').objectStore('keys').getAll();
    all.onsuccess = () => {
      request.result.close();
      resolve(all.result.map(({ privateKey }) => [privateKey.algorithm.name, privateKey.extractable]));
    };
  };
})`;

describe('guest page over Bluetooth', () => {
  const browser = useBrowser();
  let bridge: TestBridge;
  let site: FirmwareSite;
  let controller: FirmwareController;

  const start = async (started: FirmwareController, url?: string): Promise<void> => {
    started.start(url);
    if (url === undefined) await started.waitUntilSynced();
    const { siteDirectory } = started.running.controller;
    await waitUntil(
      () => siteDirectory.bluetoothKey() !== null,
      () => 'the Bluetooth key at the controller',
    );
  };

  beforeAll(async () => {
    bridge = await TestBridge.open({ publicUrl: undefined });
    await bridge.bridge.listen('127.0.0.1', 0);
    site = await FirmwareSite.open(bridge);
    controller = await site.claimController([frontDoor, garage]);
    await start(controller);
  }, HOOK_TIMEOUT);
  afterAll(async () => {
    await site.close();
    await bridge.close();
  }, HOOK_TIMEOUT);

  const createGuest = async (gadgetIds: readonly string[] = [controller.gadgetId], member: object = {}) => {
    const guest = await createGuestWithLink(
      site.client,
      gadgetIds.map(gadget_id => ({ gadget_id })),
      member,
    );
    await controller.waitUntilSynced();
    return guest;
  };

  const openPage = async (link: string, options = phone) => {
    const page = await browser.open(options);
    const surroundings: BluetoothSurroundings = {
      isSwitchedOn: true,
      chosen: () => controller.running.radio,
      controllerRssi: -50,
      phoneRssi: null,
    };
    await provideWebBluetooth(page, surroundings);
    await page.goto(link);
    return { page, surroundings };
  };

  const button = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
  const openNearby = (page: Page) => button(page, 'Open nearby doors').click();
  const nearbyCard = (page: Page) => page.locator('.nearby');

  const setUp = async (page: Page): Promise<void> => {
    await button(page, 'Set up this phone').click();
    await button(page, 'Open nearby doors').waitFor();
    await controller.waitUntilSynced();
  };

  const waitForServiceWorker = async (page: Page): Promise<void> => {
    const readState = `navigator.serviceWorker.getRegistration('/guest').then(({ active }) => active?.state)`;
    await expect.poll(() => page.evaluate(readState)).toBe('activated');
  };

  it('registers a key that cannot be read, and opens the door', async () => {
    const { link, memberId } = await createGuest();
    const { page } = await openPage(link);
    await button(page, 'Set up this phone').waitFor();
    await checkScreen(page, 'guest-bluetooth-set-up');
    await setUp(page);
    expect(await page.evaluate(readStoredKeys)).toEqual([['Ed25519', false]]);
    const { data: tokens } = await site.client.callOk('GET', `/members/${memberId}/tokens`);
    expect(tokens).toHaveLength(1);
    await checkScreen(page, 'guest-bluetooth');

    await openNearby(page);
    await nearbyCard(page).getByText('Opened', { exact: true }).waitFor();
    await checkScreen(page, 'guest-bluetooth-opened');
    expect(controller.isUnlocked).toBe(true);
    await controller.waitUntilEventsUploaded();
    expect(await site.events(`verb=use&subject.member_id=${memberId}`)).toMatchObject([
      {
        subject: { access_method: 'bluetooth', member_id: memberId, member_token_id: tokens[0]!.id },
        object: { gadget_id: controller.gadgetId, gadget_action_id: 'open' },
      },
    ]);
  });

  it('opens while browser and controller are offline, after the page was loaded again', async () => {
    const { link, memberId } = await createGuest();
    const { page } = await openPage(link);
    await setUp(page);
    await waitForServiceWorker(page);
    await controller.stop();
    onTestFinished(async () => {
      await controller.stop();
      await start(controller);
    });
    await start(controller, 'mqtt://127.0.0.1:1');
    await page.context().setOffline(true);
    const response = await page.reload();
    expect(response!.fromServiceWorker()).toBe(true);
    await page.getByRole('heading', { name: 'No connection' }).waitFor();
    await checkScreen(page, 'guest-bluetooth-offline');
    await openNearby(page);
    await nearbyCard(page).getByText('Opened', { exact: true }).waitFor();
    expect(controller.recorded.filter(({ subject }) => subject?.member_id === memberId)).toMatchObject([
      { kind: 'use', subject: { access_method: 'bluetooth' } },
    ]);

    await page.context().setOffline(false);
    await button(page, 'Front door').first().waitFor();
    await page.getByRole('heading', { name: 'No connection' }).waitFor({ state: 'detached' });
  });

  it('is denied after the token was deleted, and does not register again by itself', slow, async () => {
    const { link, memberId } = await createGuest();
    const { page } = await openPage(link);
    await setUp(page);
    const { data } = await site.client.callOk('GET', `/members/${memberId}/tokens`);
    await site.client.callOk('DELETE', `/members/${memberId}/tokens/${data[0]!.id}`);
    await controller.waitUntilSynced();
    await page.reload();
    await openNearby(page);
    await page.getByText('The door denied access to this phone.').waitFor();
    await checkScreen(page, 'guest-bluetooth-denied');
    expect((await site.client.callOk('GET', `/members/${memberId}/tokens`)).data).toEqual([]);
  });

  it('offers the doors of a controller with several', slow, async () => {
    const { link, memberId } = await createGuest(controller.gadgetIds);
    const { page } = await openPage(link);
    await setUp(page);
    await openNearby(page);
    await nearbyCard(page)
      .getByRole('button', { name: /^Garage/ })
      .click();
    await nearbyCard(page).getByText('Opened', { exact: true }).waitFor();
    await checkScreen(page, 'guest-bluetooth-two-doors');
    await controller.waitUntilEventsUploaded();
    expect(await site.events(`verb=use&subject.member_id=${memberId}`)).toMatchObject([
      { subject: { access_method: 'bluetooth' }, object: { gadget_id: controller.gadgetIds[1] } },
    ]);
  });

  it('explains a distant door, a foreign controller, no choice and Bluetooth that is off', slow, async () => {
    const { link } = await createGuest();
    const { page, surroundings } = await openPage(link);
    await setUp(page);
    const expectText = (text: string) => nearbyCard(page).getByText(text, { exact: true }).waitFor();

    surroundings.controllerRssi = -90;
    await openNearby(page);
    await expectText('You are too far away. Go to the door and try again.');

    Object.assign(surroundings, { controllerRssi: -50, phoneRssi: -50 });
    await openNearby(page);
    await expectText('Opened');
    surroundings.phoneRssi = -90;
    await openNearby(page);
    await expectText('You are too far away. Go to the door and try again.');

    const other = await site.claimController([garage]);
    await start(other);
    surroundings.chosen = () => other.running.radio;
    await openNearby(page);
    await expectText('This is none of your doors. Choose another one.');

    surroundings.chosen = null;
    await openNearby(page);
    await expectText('No door was chosen. Go to the door and try again.');

    surroundings.isSwitchedOn = false;
    await openNearby(page);
    await expectText('Bluetooth is switched off. Switch it on and try again.');
  });

  it('deletes the key at sign-out, from the phone and from the bridge', slow, async () => {
    const { link, memberId } = await createGuest();
    const { page } = await openPage(link);
    await setUp(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(readStoredKeys)).toEqual([]);
    expect(await button(page, 'Open nearby doors').count()).toBe(0);
    expect((await site.client.callOk('GET', `/members/${memberId}/tokens`)).data).toEqual([]);
  });

  it('says that the browser has no Bluetooth, and offers the doors online', async () => {
    const { link } = await createGuest();
    const page = await browser.open(phone);
    await removeWebBluetooth(page);
    await page.goto(link);
    await page.getByText('This browser cannot open doors over Bluetooth.').waitFor();
    await checkScreen(page, 'guest-no-bluetooth');
    expect(await button(page, 'Front door').isEnabled()).toBe(true);
    await waitForServiceWorker(page);
    await page.context().setOffline(true);
    await page.reload();
    await page.getByText('Use your PIN or card, or try again when you have a connection.').waitFor();
  });

  it('says that the browser lacks the algorithms', slow, async () => {
    const { link } = await createGuest();
    const page = await browser.open(phone);
    await provideWebBluetooth(page, { isSwitchedOn: true, chosen: null, controllerRssi: -50, phoneRssi: null });
    await page.addInitScript(`crypto.subtle.generateKey = async () => {
      throw new DOMException('Unrecognized name', 'NotSupportedError');
    }`);
    await page.goto(link);
    await page.getByText('This browser is too old to open doors over Bluetooth.').waitFor();
  });

  it.each([
    ['de', 'Dieses Telefon einrichten', 'Türen in der Nähe öffnen', 'Geöffnet', 'Türen'],
    ['es', 'Configurar este teléfono', 'Abrir puertas cercanas', 'Abierta', 'Puertas'],
  ])('works in the language %s on a wide screen', slow, async (language, setUpText, openText, openedText, appName) => {
    const { link } = await createGuest([controller.gadgetId], { language });
    const { page } = await openPage(link, { ...desktop, colorScheme: 'dark' });
    await button(page, setUpText).click();
    await button(page, openText).waitFor();
    await controller.waitUntilSynced();
    await button(page, openText).click();
    await nearbyCard(page).getByText(openedText, { exact: true }).waitFor();
    await checkScreen(page, `guest-bluetooth-${language}`);
    const manifest = await page.evaluate<{ name: string; lang: string; icons: { src: string }[] }>(
      `fetch(document.querySelector('link[rel=manifest]').href).then(response => response.json())`,
    );
    expect(manifest).toMatchObject({ name: appName, lang: language });
  });
});
