import type { WebSocketRoute } from 'playwright-core';
import { describe, expect } from 'vitest';
import { createTestDevice, reportTestStatus } from '../../support/bridge/site-fixtures.ts';
import { type Hotel, test } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { desktop, phone } from '../../support/browser/test-browser.ts';

const LONG_MS = 20 * 60_000;

/** The customer's own name of a state. */
const ownStates = [
  { id: 'locked', name: 'Shut tight' },
  { id: 'unlocked', name: 'Unlocked' },
];

const parts = (...names: string[]) => names.map(name => ({ id: name.toLowerCase(), name }));

const addDoor = ({ bridge, client, siteId: site_id }: Hotel) =>
  createTestDevice(bridge, client, {
    site_id,
    name: 'First floor',
    gadgets: [
      {
        name: 'Front door',
        actions: parts('Open', 'Unlock', 'Lock'),
        states: parts('Locked', 'Unlocked', 'Open'),
        signals: [],
      },
      { name: 'Garage', actions: parts('Open'), states: ownStates, signals: [] },
    ],
  });

/** As if somebody had unlocked the door some time ago. */
const unlock = async ({ bridge, owner }: Hotel, gadgetId: string): Promise<void> => {
  await owner.callOk('POST', `/gadgets/${gadgetId}/actions/unlock`, {});
  await bridge.services.storage.writer
    .updateTable('events')
    .set(row => ({ created_at: row('created_at', '-', LONG_MS) }))
    .where('object_gadget_id', '=', gadgetId)
    .where('object_type', 'in', ['gadget_action', 'gadget_state'])
    .execute();
};

describe('states of doors', () => {
  test.override({ doors: [] });

  test('an unlocked door stands out and can be locked from Home', async ({ hotel }) => {
    const { gadgetId } = await addDoor(hotel);
    await unlock(hotel, gadgetId);
    const page = await hotel.open('');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('Front door is unlocked').waitFor();
    const tile = page.locator('.door-card').filter({ hasText: 'Front door' });
    await tile.getByText(/Unlocked since today .* by Olivia until it is locked/).waitFor();
    expect(await tile.locator('.dot').getAttribute('data-level')).toBe('warning');
    expect(await tile.getByRole('button').first().textContent()).toBe('Lock');
    const garage = page.locator('.door-card').filter({ hasText: 'Garage' });
    expect(await garage.locator('.dot').getAttribute('data-level')).toBe('neutral');
    await checkScreen(page, 'home-unlocked');
    await page.goto(page.url().replace(/\/$/, '') + `/doors/${gadgetId}`);
    await page.getByText(/Unlocked, since today .* by Olivia/).waitFor();
    await checkScreen(page, 'door-unlocked');
    await page.goBack();
    await attention.getByRole('button', { name: 'Lock: Front door' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Lock', exact: true }).click();
    await page.getByText(/Everything is working/).waitFor();
    await tile.getByText('Locked', { exact: true }).waitFor();
  });

  test('states and actions are in the language of the page, own names are not', async ({ hotel }) => {
    const { gadgetId } = await addDoor(hotel);
    await unlock(hotel, gadgetId);
    const page = await hotel.open('/doors', { ...phone, locale: 'de-DE' });
    await page.getByText(/seit heute .* durch Olivia bis sie verriegelt wird/).waitFor();
    await page.getByText('Shut tight', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Verriegeln: Front door' }).waitFor();
    await checkScreen(page, 'doors-unlocked-de');
    const spanish = await hotel.open(`/doors/${gadgetId}`, { ...desktop, locale: 'es-ES' });
    await spanish.getByText(/Desbloqueada, desde hoy .* por Olivia hasta que se bloquee/).waitFor();
    await spanish.getByRole('button', { name: 'Desbloquear: Front door' }).click();
    await spanish.getByRole('dialog').getByText('La puerta queda desbloqueada hasta que se bloquee.').waitFor();
    await checkScreen(spanish, 'door-unlocked-es');
  });

  test('states are dated while the controller is away', async ({ hotel }) => {
    const { deviceId } = await addDoor(hotel);
    const status = { online: false, mains_present: true, battery_present: false, battery_charging: false };
    await reportTestStatus(hotel.bridge, hotel.client.organizationId, deviceId, status);
    const page = await hotel.open('', phone);
    const tile = page.locator('.door-card').filter({ hasText: 'Front door' });
    await tile.getByText('Locked (last known 1 Jan 1970, 01:00)').waitFor();
    expect(await tile.getByRole('button', { name: 'Unlock' }).isDisabled()).toBe(true);
    await checkScreen(page, 'home-offline');
  });

  test('states are dated while the bridge is away, and current again afterwards', async ({ hotel }) => {
    await addDoor(hotel);
    const page = await hotel.open('');
    const sockets = new Set<WebSocketRoute>();
    let isAway = false;
    await page.routeWebSocket(/\/events\/stream/, socket => {
      if (isAway) return void socket.close();
      sockets.add(socket);
      socket.connectToServer();
    });
    await page.reload();
    const tile = page.locator('.door-card').filter({ hasText: 'Front door' });
    await tile.getByText('Locked', { exact: true }).waitFor();
    await expect.poll(() => sockets.size).toBe(1);
    isAway = true;
    for (const socket of sockets) await socket.close();
    await page.getByText(/No connection since \d\d:\d\d/).waitFor();
    await page.getByText(/No connection to the bridge. This was the state at \d\d:\d\d/).waitFor();
    expect(await page.getByText('Everything is working').count()).toBe(0);
    await tile.getByText(/last known today \d\d:\d\d/).waitFor();
    expect(await tile.getAttribute('data-is-offline')).toBe('');
    await checkScreen(page, 'home-bridge-away');
    isAway = false;
    await page.getByText('Everything is working').waitFor();
    await expect.poll(() => tile.getAttribute('data-is-offline')).toBeNull();
  });
});
