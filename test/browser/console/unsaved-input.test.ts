import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type Hotel, test, testWalk } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { consoleRoutes, createScreenObjects } from '../../support/browser/screens.ts';
import { desktop } from '../../support/browser/test-browser.ts';

/** What the page asks the bridge to change. A check of access changes nothing. */
const trackWrites = (page: Page): readonly string[] => {
  const writes: string[] = [];
  page.on('request', request => {
    if (request.method() !== 'GET') writes.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return writes;
};

/** Walks through the options of each choice with the keyboard. */
const pressArrowKeys = async (page: Page): Promise<number> => {
  const choices = await page.locator('#content :is(select, input[type=radio]:checked)').locator('visible=true').all();
  for (const choice of choices) {
    // A choice may replace the ones after it.
    if ((await choice.count()) === 0) continue;
    await choice.focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
  }
  return choices.length;
};

const addMember = async (hotel: Hotel) => {
  const { owner } = hotel;
  const room = await owner.callOk('POST', '/member_groups', {
    name: 'Room 101',
    permissions: [{ gadget_id: hotel.doorId('Room 101'), action_id: 'open' }],
  });
  await owner.callOk('POST', '/member_groups', { name: 'Management', permissions: [{}] });
  const { id } = await owner.callOk('POST', '/members', { name: 'Ann Example' });
  await owner.callOk('POST', `/members/${id}/group_associations`, { member_group_id: room.id });
  return id;
};

const groupsOf = async ({ owner }: Hotel, id: string): Promise<readonly string[]> => {
  const { body } = await owner.get(`/members/${id}?expand=group_associations.member_group`);
  const associations = body['group_associations'] as readonly {
    readonly member_group: { readonly name: string };
  }[];
  return associations.map(({ member_group }) => member_group.name).toSorted();
};

describe('choices', () => {
  test('do nothing by themselves on the page of a member', async ({ hotel }) => {
    const id = await addMember(hotel);
    const page = await hotel.open(`/members/${id}`);
    await page.getByLabel('Add group').waitFor();
    const writes = trackWrites(page);
    expect(await pressArrowKeys(page)).toBeGreaterThan(1);
    await page.getByText('Opens all 4 doors').waitFor();
    expect({ writes, groups: await groupsOf(hotel, id) }).toEqual({ writes: [], groups: ['Room 101'] });
  });

  test('do nothing by themselves on any screen', { tags: ['slow'] }, async ({ hotel }) => {
    const fill = await createScreenObjects(hotel);
    // The page of the event stream is left before it is connected.
    const page = await hotel.open('', { ...desktop, expectedMessages: /WebSocket is closed/ });
    page.on('dialog', dialog => void dialog.accept());
    const writes = trackWrites(page);
    let choices = 0;
    for (const { path } of consoleRoutes) {
      await page.goto(`${hotel.address}${hotel.pathOf(fill(path))}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      choices += await pressArrowKeys(page);
    }
    expect(writes).toEqual([]);
    expect(choices).toBeGreaterThan(10);
  });

  testWalk('of a group say what it opens, and are taken back', { tags: ['slow'] }, async (hotel, options) => {
    const id = await addMember(hotel);
    const page = await hotel.open(`/members/${id}`, options);
    const groups = page.locator('[aria-labelledby=member-groups]');
    const undo = page.getByRole('button', { name: /^(Undo|Rückgängig)$/ });
    await groups.getByLabel(/Add group|Gruppe hinzufügen/).selectOption({ label: 'Management' });
    await page.getByText(/Opens all 4 doors|Öffnet alle 4 Türen/).waitFor();
    await checkScreen(page, 'member-add-group');
    await groups.getByRole('button', { name: /^(Add|Hinzufügen)$/ }).click();
    await page.getByText(/Ann Example is now in Management|Ann Example ist jetzt in Management/).waitFor();
    expect(await groupsOf(hotel, id)).toEqual(['Management', 'Room 101']);
    await checkScreen(page, 'member-group-added');
    await undo.click();
    await page.getByText(/^(Undone|Rückgängig gemacht)$/).waitFor();
    expect(await groupsOf(hotel, id)).toEqual(['Room 101']);

    await groups.getByRole('button', { name: /Remove from Room 101|Aus Room 101 entfernen/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/No longer opens: Room 101|Öffnet nicht mehr: Room 101/).waitFor();
    await checkScreen(page, 'member-leave-group');
    expect(await groupsOf(hotel, id)).toEqual(['Room 101']);
    await dialog.getByRole('button', { name: /^(Remove|Entfernen)$/ }).click();
    await undo.waitFor();
    expect(await groupsOf(hotel, id)).toEqual([]);
    await undo.click();
    await page.getByText(/^(Undone|Rückgängig gemacht)$/).waitFor();
    expect(await groupsOf(hotel, id)).toEqual(['Room 101']);
  });

  testWalk('of a PIN come before it is created', async (hotel, options) => {
    const id = await addMember(hotel);
    const page = await hotel.open(`/members/${id}`, options);
    const writes = trackWrites(page);
    await page.getByRole('button', { name: /Add PIN|PIN hinzufügen/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^(Digits|Ziffern)$/).selectOption('8');
    await checkScreen(page, 'member-add-pin');
    expect(writes).toEqual([]);
    await dialog.getByRole('button', { name: /Add PIN|PIN hinzufügen/ }).click();
    await page.getByText(/PIN with 8 digits|PIN mit 8 Ziffern/).waitFor();
    await page.getByRole('button', { name: /Add PIN|PIN hinzufügen/ }).click();
    await dialog.getByText(/^(Own PIN|Eigene PIN)$/).click();
    await dialog.getByLabel('PIN', { exact: true }).fill('907218');
    await dialog.getByRole('button', { name: /Add PIN|PIN hinzufügen/ }).click();
    await page.getByText(/PIN with 6 digits|PIN mit 6 Ziffern/).waitFor();
  });
});

describe('input that is not saved', () => {
  testWalk('is not lost by a link, the back button or a reload without a question', async (hotel, options) => {
    const page = await hotel.open('/members', options);
    await page
      .getByRole('link', { name: /New stay|Neuer Aufenthalt/ })
      .first()
      .click();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Half Typed');
    const question = page.getByRole('dialog');
    const keep = question.getByRole('button', { name: /Keep editing|Weiter bearbeiten/ });
    await page
      .getByRole('link', { name: /^(Doors|Türen)$/ })
      .locator('visible=true')
      .first()
      .click();
    await checkScreen(page, 'unsaved-input');
    await keep.click();
    await page.goBack();
    await keep.click();
    expect(await name.inputValue()).toBe('Half Typed');
    const asked: string[] = [];
    page.once('dialog', dialog => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.evaluate('location.reload()').catch(() => undefined);
    await expect.poll(() => asked).toEqual(['beforeunload']);
    expect(await name.inputValue()).toBe('Half Typed');
    await page.goBack();
    await question.getByRole('button', { name: /Discard|Verwerfen/ }).click();
    await page.waitForURL(/\/members$/);
  });

  test('is not lost when its dialog is closed', async ({ hotel }) => {
    const id = await addMember(hotel);
    const page = await hotel.open(`/members/${id}`, desktop);
    await page.getByRole('button', { name: 'Change name or dates' }).click();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Ann Changed');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await name.inputValue()).toBe('Ann Changed');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Change name or dates' }).click();
    expect(await name.inputValue()).toBe('Ann Example');
    // Nothing was typed, so nothing is asked.
    await page.getByRole('button', { name: 'Cancel' }).click();
    await name.waitFor({ state: 'detached' });
  });
});
