import { once } from 'node:events';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { requirePart } from '../reporting/system-part.ts';
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

const PIN = '2580';
const CARD = '04a1b2c3d4e5f6';
const STRANGE_CARD = '04ffffffffffff';

describe('trying as somebody in Chromium', () => {
  const browser = new TechnicianBrowser();
  let house: VisitedController;

  beforeEach(context => requirePart(context, chromiumPart));
  beforeAll(async () => {
    await buildPages();
    house = await VisitedController.claimed();
    const { client, tina } = house;
    const gadget_id = await house.gadgetId('Door');
    const group = await client.done('POST', '/member_groups', { name: 'Guests', permissions: [{ gadget_id }] });
    const { id } = await client.done('POST', '/members', { name: 'Ann' });
    await client.done('POST', `/members/${id}/group_associations`, { member_group_id: group.id });
    await client.done('POST', `/members/${id}/pins`, { pin: PIN });
    await client.done('POST', `/members/${id}/cards`, { uid: CARD });
    await tina.done('PUT', `/devices/${await house.deviceId()}/input_rules`, {
      input_rules: [
        { code: '1', gadget_id, action_id: 'open' },
        { code: '2', gadget_id: await house.gadgetId('Light'), action_id: 'on' },
      ],
    });
    const watching = await house.phone();
    const tried = () =>
      watching.ask('POST', '/input_rules/try', { body: { code: '1', credential: { type: 'pin', pin: PIN } } });
    await house.until(async () => {
      const rules = (await watching.ask('GET', '/input_rules')).body['input_rules'] as unknown as readonly unknown[];
      return rules.length === 2;
    }, 'the rules at the controller');
    await house.until(async () => (await tried()).body['granted'] === true, 'the member at the controller');
  }, 90_000);
  afterAll(async () => {
    await browser.close();
    await house?.close();
  }, 30_000);

  /** Every output of a gadget that is switched on from now on. Lights and buzzer may: a reader acknowledges the card that it reads. */
  const watchOutputs = async (): Promise<readonly string[]> => {
    const moved: string[] = [];
    const socket = createConnection(join(house.device.dataDir, 'parts.sock'));
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    createInterface({ input: socket }).on('line', line => {
      const { output, on } = JSON.parse(line) as { readonly output?: string; readonly on?: boolean };
      if (output !== undefined && on === true && !/led|buzzer/.test(output)) moved.push(output);
    });
    return moved;
  };

  const open = async (screen: typeof phone): Promise<TechnicianPage> => {
    const technician = await browser.visit(screen, house.url, `#pass=${await house.pass()}`);
    await technician.inside();
    await technician.goTo('Try');
    return technician;
  };

  const choose = (technician: TechnicianPage, label: string): Promise<unknown> =>
    technician.page.getByLabel('Rule').selectOption({ label });

  it.each([
    ['a phone', phone],
    ['a desk', desktop],
  ])(
    'says what a member’s PIN or card would open, and moves nothing, at %s',
    async (_, screen) => {
      const moved = await watchOutputs();
      const technician = await open(screen);
      const { page } = technician;
      await choose(technician, '1: opens Door');
      await page.getByLabel('PIN', { exact: true }).last().fill(PIN);
      await technician.act('Try');
      await technician.text('Would be granted: Door, Open').waitFor();
      await technician.text(/^Belongs to member mem_/).waitFor();
      await lookAt(technician, 'try-granted');
      await page.getByText('Next card', { exact: true }).click();
      await technician.act('Try');
      await technician.text(/Hold a card/).waitFor();
      await lookAt(technician, 'try-waiting');
      await house.device.parts({ card: CARD });
      await technician.text(/^Card \S*f6$/).waitFor();
      await technician.text('Would be granted: Door, Open').waitFor();

      // The same person at a door that is not theirs.
      await choose(technician, '2: switches on Light');
      await technician.act('Try');
      await technician.text(/Hold a card/).waitFor();
      await house.device.parts({ card: CARD });
      await technician.text('Would be denied: Light, On').waitFor();
      await technician.text('no permission for this door').waitFor();
      await technician.act('Try');
      await technician.text(/Hold a card/).waitFor();
      await house.device.parts({ card: STRANGE_CARD });
      await technician.text('nobody’s PIN or card').waitFor();
      expect(await page.getByText('Belongs to').count()).toBe(0);
      await lookAt(technician, 'try-denied');
      expect(await page.locator('body').innerText()).not.toContain(CARD);

      // The door itself works on, and shows that the watch sees what moves.
      expect(moved).toEqual([]);
      await house.device.type(`1${PIN}`);
      await expect.poll(() => moved).toEqual(['door_relay']);
      await leave(technician);
    },
    90_000,
  );

  it('says why a wrong PIN opens nothing, and after five of them how long none is looked at', async () => {
    const moved = await watchOutputs();
    const technician = await open(phone);
    const { page } = technician;
    const pin = page.getByLabel('PIN', { exact: true }).last();
    for (let tries = 0; tries < 5; tries++) {
      await pin.fill(`999${tries}`);
      await technician.act('Try');
      await technician.text('nobody’s PIN or card').waitFor();
      await pin.fill('');
    }
    await pin.fill(PIN);
    await technician.act('Try');
    await technician.text('Too many wrong PINs were tried.').waitFor();
    await page.getByRole('button', { name: /^Wait 0:[123]\d$/ }).waitFor();
    expect(await page.getByText('Would be').count()).toBe(0);
    await lookAt(technician, 'try-locked');
    await page.getByText('Next card', { exact: true }).click();
    await technician.act('Try');
    await technician.text(/Hold a card/).waitFor();
    await house.device.parts({ card: CARD });
    await technician.text('Would be granted: Door, Open').waitFor();
    await page.getByText('PIN', { exact: true }).first().click();
    await page.getByRole('button', { name: 'Try', exact: true }).waitFor({ timeout: 45_000 });
    await technician.act('Try');
    await technician.text('Would be granted: Door, Open').waitFor();
    expect(moved).toEqual([]);
    await leave(technician);
  }, 120_000);
});
