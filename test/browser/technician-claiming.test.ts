import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requirePart } from '../reporting/system-part.ts';
import { signedIn } from '../support/bridge/administration.ts';
import { aDevice, aSite } from '../support/bridge/place.ts';
import { SupervisedController } from '../support/processes/supervised-controller.ts';
import {
  buildPages,
  chromiumPart,
  desktop,
  leave,
  lookAt,
  phone,
  TechnicianBrowser,
} from '../support/technician/technician-browser.ts';
import type { TechnicianPage } from '../support/technician/technician-page.ts';
import { VisitedController } from '../support/technician/visited-controller.ts';

const browser = new TechnicianBrowser();
let house: VisitedController | null = null;
let bare: SupervisedController | null = null;

const claimed = (technician: TechnicianPage): Promise<void> =>
  technician.page.getByRole('heading', { name: 'Claimed' }).waitFor({ timeout: 30_000 });

describe('claiming in Chromium', () => {
  beforeEach(context => requirePart(context, chromiumPart));
  beforeAll(buildPages, 60_000);
  afterEach(async () => {
    await house?.close();
    await bare?.close();
    house = null;
    bare = null;
  }, 30_000);
  afterAll(() => browser.close());

  it('begins with the profile where nobody has said what is built in, and goes on by itself after the restart', async () => {
    bare = await SupervisedController.start();
    const technician = await browser.visit(phone, bare.url, `#code=${bare.setupCode}`);
    const { page } = technician;
    await technician.inside();
    await technician.text('1 thing does not work').waitFor();
    await lookAt(technician, 'bare-overview');
    await page.getByRole('link', { name: 'Choose what is built in' }).click();
    await technician.text('First choose what is built in, below.').waitFor();
    expect(await page.getByRole('button', { name: 'Claim', exact: true }).count()).toBe(0);
    const profiles = page.getByRole('region', { name: 'What is built in' });
    await profiles.getByText('What was found').click();
    await profiles.getByText(/^Node \d+/).waitFor();
    await lookAt(technician, 'bare-profiles');
    // What does not fit can be chosen all the same: a relay on a wire answers to nobody.
    await profiles
      .getByRole('listitem')
      .filter({ hasText: /Raspberry Pi.* of \d+ parts found/ })
      .getByRole('button')
      .first()
      .waitFor();
    await profiles.getByText(/^\d+ more$/).click();
    await lookAt(technician, 'bare-all-profiles');

    await profiles.getByRole('button', { name: 'Simulated controller: Use this profile' }).click();
    await technician.text('This page comes back by itself.').waitFor();
    await page.getByRole('textbox', { name: 'Ticket' }).waitFor({ timeout: 30_000 });
    expect(bare.exits).toEqual([75]);
    await profiles.getByRole('listitem').filter({ hasText: 'Simulated controller' }).getByText('in use').waitFor();
    expect(await page.getByLabel('1. Door').inputValue()).toBe('Door');
    await lookAt(technician, 'bare-chosen');
    await technician.goTo('Overview');
    await technician.text('laptop-simulator').waitFor();
    await leave(technician);
  }, 120_000);

  it.each([
    ['a phone', phone],
    ['a desk', desktop],
  ])(
    'takes the code of a ticket and the typed address of the bridge, and names, at %s',
    async (_, screen) => {
      house = await VisitedController.arrange();
      await house.connectBridge();
      await house.start();
      const desk = await browser.visitBridge(house.tina.headers['cookie']!, house.bridgeUrl);
      const site = desk.page.getByRole('region', { name: 'Main' });
      await site.getByText('No controller is claimed here yet.').waitFor();
      await site.getByText('For a visit without a line').click();
      await desk.act('Claim ticket');
      await desk.text(`this code and the address ${house.bridgeUrl}`).waitFor();
      const code = await site.locator('.big-code').innerText();
      await lookAt(desk, 'desk-code');
      await leave(desk);

      const technician = await browser.visit(screen, house.url, `#code=${house.setupCode}`);
      const { page } = technician;
      await technician.inside();
      await technician.goTo('Claim');
      await page.getByText('Code', { exact: true }).click();
      await page.getByLabel('Claim code').fill(code.toLowerCase().replaceAll('-', ''));
      await page.getByLabel('Address of the bridge').fill('not an address');
      await technician.text('This is not an address.').waitFor();
      await page.getByRole('button', { name: 'Claim', exact: true, disabled: true }).waitFor();
      await page.getByLabel('Address of the bridge').fill(house.bridgeUrl);
      await page.getByLabel('Name of the device').fill('Cellar');
      await page.getByLabel('1. Door').fill('Cellar door');
      await lookAt(technician, 'claim-by-code');
      await technician.act('Claim');
      await claimed(technician);
      await page.getByText('Cellar door, Light, Blind').waitFor();
      await page.getByRole('banner').getByText('Cellar', { exact: true }).waitFor();
      await lookAt(technician, 'claimed');
      const device = await house.client.done('GET', `/devices/${await house.deviceId()}?expand=gadgets,site`);
      expect(device).toMatchObject({ name: 'Cellar', site: { id: house.siteId } });
      expect((device['gadgets'] as { name: string }[]).map(({ name }) => name)).toContain('Cellar door');
      await leave(technician);
    },
    120_000,
  );

  it('takes the place of a dead controller: its name, gadgets and rules are there again', async () => {
    house = await VisitedController.claimed();
    const deviceId = await house.deviceId();
    const gadget_id = await house.gadgetId('Light');
    const input_rules = [{ code: '42', gadget_id, action_id: 'on' }];
    await house.tina.done('PUT', `/devices/${deviceId}/input_rules`, { input_rules });
    await house.breakDown();
    await house.start();

    const desk = await browser.visitBridge(house.tina.headers['cookie']!, house.bridgeUrl);
    await desk.page.getByText('For a visit without a line').click();
    await desk.page.getByLabel('Ticket for').selectOption({ label: 'Back door, on other hardware' });
    await desk.act('Claim ticket');
    const ticket = await desk.page.locator('.carried code').innerText();
    await leave(desk);

    const technician = await browser.visit(phone, house.url, `#code=${house.setupCode}`);
    const { page } = technician;
    await technician.inside();
    await technician.goTo('Claim');
    await page.getByRole('textbox', { name: 'Ticket' }).fill(ticket);
    await technician.text('Replaces a device').waitFor();
    expect(await page.getByLabel('Name of the device').count()).toBe(0);
    await lookAt(technician, 'replacing');
    await technician.act('Claim');
    await claimed(technician);
    await page.getByRole('banner').getByText('Back door').waitFor();
    await technician.text('Door, Light, Blind').waitFor();
    await lookAt(technician, 'replaced');
    await technician.goTo('Rules');
    await technician.text('Typing 42 and then a PIN or a card switches on Light').waitFor();
    expect(await house.deviceId()).toBe(deviceId);
    await leave(technician);
  }, 120_000);

  it('anew asks for somebody at the board, says what is lost, and makes it another one’s', async () => {
    house = await VisitedController.claimed();
    const { world } = house;
    const buyer = await world.newOrganization();
    const siteId = await aSite(world, buyer, { name: 'Warehouse' });
    const owner = await signedIn(world, buyer.organizationId, 'owner');
    const withPass = await browser.visit(phone, house.url, `#pass=${await house.pass()}`);
    const takeAnew = async ({ page }: TechnicianPage): Promise<void> => {
      const { ticket } = await owner.done('POST', '/claim_tickets', { site_id: siteId });
      await page.getByText('Does it change hands?').click();
      await page.getByRole('button', { name: 'Claim it anew' }).click();
      await page.getByRole('textbox', { name: 'Ticket' }).fill(String(ticket));
      await page.getByLabel('Name of the device').fill('Gate');
      await page.getByRole('button', { name: 'Claim', exact: true }).click();
      await page.getByRole('dialog', { name: 'Take it from where it is?' }).waitFor();
    };
    const startAnew = async (technician: TechnicianPage): Promise<void> => {
      await technician.page.getByRole('link', { name: 'Claim the controller' }).click();
      await takeAnew(technician);
    };
    await withPass.inside();
    await startAnew(withPass);
    await lookAt(withPass, 'anew-question');
    await withPass.page.getByRole('dialog').getByRole('button', { name: 'Claim it anew' }).click();
    await withPass.text('A pass does not do for this.').waitFor();
    await lookAt(withPass, 'anew-refused');
    await leave(withPass);

    await house.device.parts({ press: 'setup_button' });
    const technician = await browser.visit(phone, house.url, `#code=${house.setupCode}`);
    const { page } = technician;
    await technician.inside();
    await startAnew(technician);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect((await house.client.done('GET', '/devices')).data).toHaveLength(1);
    await technician.act('Claim');
    await page.getByRole('dialog').getByRole('button', { name: 'Claim it anew' }).click();
    // The bridge gives nobody's controller away.
    await page
      .getByRole('alert')
      .filter({ hasText: 'everything is as it was: it still is a device of that bridge' })
      .waitFor();
    await lookAt(technician, 'anew-not-deleted');
    const seller = await signedIn(world, house.client.organizationId, 'owner');
    await seller.done('DELETE', `/devices/${await house.deviceId()}`);
    await takeAnew(technician);
    await page.getByRole('dialog').getByRole('button', { name: 'Claim it anew' }).click();
    await page.getByRole('banner').getByText('Gate').waitFor({ timeout: 30_000 });
    await claimed(technician);
    await technician.text('Warehouse').waitFor();
    await lookAt(technician, 'anew-done');
    expect((await buyer.done('GET', '/devices')).data).toMatchObject([{ name: 'Gate' }]);
    await leave(technician);
  }, 120_000);

  it('anew waits for a line like any other claim, and says why it was refused', async () => {
    house = await VisitedController.claimed();
    await house.device.parts({ press: 'setup_button' });
    const technician = await browser.visit(phone, house.url, `#code=${house.setupCode}`);
    const { page } = technician;
    await technician.inside();
    const claimByCode = async (bridge: string): Promise<void> => {
      await page.getByText('Code', { exact: true }).click();
      await page.getByLabel('Claim code').fill('7K3M0QXWPT5H');
      await page.getByLabel('Address of the bridge').fill(bridge);
      await technician.act('Claim');
      await page.getByRole('dialog').getByRole('button', { name: 'Claim it anew' }).click();
    };
    await page.getByRole('link', { name: 'Claim the controller' }).click();
    await page.getByText('Does it change hands?').click();
    await technician.act('Claim it anew');
    await claimByCode('http://127.0.0.1:1');
    await technician.text('Will complete when the line comes').waitFor();
    await technician.text(/Last try: .*127\.0\.0\.1:1/).waitFor();
    await technician.act('Use another ticket or code');
    await claimByCode(house.bridgeUrl);
    await technician.text('Not claimed anew, everything is as it was').waitFor();
    await lookAt(technician, 'anew-not-taken');
    await page.getByRole('banner').getByText('Back door').waitFor();
    await leave(technician);
  }, 120_000);

  it('offers a ticket for a device that the desk has made and nobody has claimed', async () => {
    house = await VisitedController.arrange();
    await house.connectBridge();
    await aDevice(house.world, house.client, { site_id: house.siteId, name: 'Loading bay' });
    const desk = await browser.visitBridge(house.tina.headers['cookie']!, house.bridgeUrl);
    await desk.page.getByText('For a visit without a line').click();
    await desk.page.getByLabel('Ticket for').selectOption({ label: 'Loading bay, on other hardware' });
    await desk.act('Claim ticket');
    await desk.page.getByRole('button', { name: 'Claim ticket: Copy' }).waitFor();
    await leave(desk);
  }, 60_000);
});
