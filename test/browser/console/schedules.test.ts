import { describe, expect } from 'vitest';
import type { AdminClient } from '../../support/bridge/admin-client.ts';
import { test, testWalk } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { savePicture } from '../../support/browser/pictures.ts';
import { phone } from '../../support/browser/test-browser.ts';

const HOUR = 3600;

/** By weekday, from Monday. */
type Hours = Readonly<Record<number, readonly (readonly [start: number, end: number])[]>>;

const newSchedule = async (owner: AdminClient, name: string, days: Hours): Promise<string> => {
  const weekdays = Array.from({ length: 7 }, (_, day) => ({
    ranges: (days[day] ?? []).map(([start, end]) => ({ start: start * HOUR, end: end * HOUR })),
  }));
  return (await owner.callOk('POST', '/schedules', { name, weekdays })).id;
};

const hoursOf = async (owner: AdminClient, id: string): Promise<unknown> => {
  const { weekdays } = (await owner.callOk('GET', `/schedules/${id}`)) as unknown as {
    weekdays: { ranges: { start: number; end: number }[] }[];
  };
  return weekdays.map(({ ranges }) => ranges.map(({ start, end }) => [start / HOUR, end / HOUR]));
};

const dateIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('schedules', () => {
  testWalk('edits times by the list, with a night and a copied day', async (hotel, options) => {
    const { owner } = hotel;
    const page = await hotel.open('/schedules', options);
    const name = 'Night';
    await page.getByRole('button', { name: /New schedule|Neuer Zeitplan/ }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: /Save|Speichern/ }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    const { body } = await owner.get('/schedules');
    const id = body.data.find(schedule => schedule.name === name)!.id;
    const group = { name: 'Night shift', permissions: [{}, { schedule_id: id }] };
    await owner.callOk('POST', '/member_groups', group);
    await page.getByRole('link', { name: /Night shift, (rule|Regel) 2/ }).waitFor();

    await page.getByLabel(/^(From: Monday|Von: Montag)$/).fill('22:00');
    await page.getByLabel(/^(Until: Monday|Bis: Montag)$/).fill('06:00');
    await page.getByText(/next day|nächster Tag/).waitFor();
    await page.getByRole('button', { name: /Copy Monday|Montag auf/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/Sunday|Sonntag/).check();
    await checkScreen(page);
    await dialog.getByRole('button', { name: /^(Copy|Kopieren)$/ }).click();
    await page.getByRole('button', { name: /Delete Tuesday|Dienstag, .* löschen/ }).click();
    await checkScreen(page, 'schedule');
    await page.getByRole('button', { name: /^(Save|Speichern)$/ }).click();
    await page.getByText(/The schedule is saved|Der Zeitplan ist gespeichert/).waitFor();
    expect(await hoursOf(owner, id)).toEqual([
      [
        [0, 6],
        [22, 24],
      ],
      [[0, 6]],
      [[8, 18]],
      [[8, 18]],
      [[8, 18]],
      [],
      [[22, 24]],
    ]);
    await page.getByRole('link', { name: /← (Schedules|Zeitpläne)/ }).click();
    await page.getByRole('link', { name: new RegExp(`${name}.*22:00–06:00`) }).waitFor();
    await checkScreen(page, 'schedules');
  });

  test('shows times that another user saved meanwhile, and lets the user keep the own ones', async ({ hotel }) => {
    const { owner } = hotel;
    const id = await newSchedule(owner, 'Shared', { 0: [[8, 10]] });
    const page = await hotel.open(`/schedules/${id}`);
    const start = page.getByLabel('From: Monday', { exact: true });
    await start.fill('09:00');
    const week = Array.from({ length: 7 }, (_, day) => ({ ranges: day === 0 ? [{ start: 3600, end: 7200 }] : [] }));
    await owner.callOk('PATCH', `/schedules/${id}`, { weekdays: week });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await page.getByRole('button', { name: 'Show new values' }).click();
    await expect.poll(() => page.getByText('01:00').count()).toBeGreaterThan(0);
    expect(await hoursOf(owner, id)).toEqual([[[1, 2]], [], [], [], [], [], []]);
    await page.getByRole('button', { name: 'Show my values' }).click();
    expect(await start.inputValue()).toBe('09:00');
    await save.click();
    await page.getByText('The schedule is saved').waitFor();
    expect(await hoursOf(owner, id)).toEqual([[[9, 10]], [], [], [], [], [], []]);
  });

  test('creates, moves and resizes times in the grid', async ({ hotel }) => {
    const { owner } = hotel;
    const id = await newSchedule(owner, 'Grid', { 0: [[8, 10]] });
    const page = await hotel.open(`/schedules/${id}`);
    const grid = page.locator('.week-days');
    await grid.waitFor();
    await grid.scrollIntoViewIfNeeded();
    const box = (await grid.boundingBox())!;
    const at = (day: number, hour: number) => ({
      x: box.x + ((day + 0.5) / 7) * box.width,
      y: box.y + (hour / 24) * box.height,
    });
    const drag = async (from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 4 });
      await page.mouse.up();
    };
    await drag(at(0, 9), at(2, 13));
    const end = at(2, 14);
    await drag({ x: end.x, y: end.y - 3 }, { x: end.x, y: at(2, 16).y - 3 });
    await drag({ ...at(5, 6), y: at(5, 6).y + 2 }, at(5, 9));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The schedule is saved').waitFor();
    expect(await hoursOf(owner, id)).toEqual([[], [], [[12, 16]], [], [], [[6, 9]], []]);
  });

  testWalk(
    'adds exceptions for dates, and says what a schedule cannot express',
    { tags: ['slow'] },
    async (hotel, options) => {
      const { owner } = hotel;
      const id = await newSchedule(owner, 'Office', { 0: [[8, 18]] });
      const exceptions = async (): Promise<unknown> =>
        (
          (await owner.callOk('GET', `/schedules/${id}/exceptions`))['items'] as { date: string; ranges: object[] }[]
        ).map(({ date, ranges }) => [date, ranges]);
      const page = await hotel.open(`/schedules/${id}`, options);
      const dialog = page.getByRole('dialog');
      const save = dialog.getByRole('button', { name: /^(Save|Speichern)$/ });
      await page.getByRole('button', { name: /Add exception|Ausnahme hinzufügen/ }).click();
      expect(await save.isDisabled()).toBe(true);
      await dialog.getByLabel(/^(Date|Datum)$/).fill(dateIn(-2));
      await dialog.getByText(/This date is over|Dieses Datum ist vorbei/).waitFor();
      await dialog.getByLabel(/^(Date|Datum)$/).fill(dateIn(3));
      await dialog.getByLabel(/^(Last day|Letzter Tag)$/).fill(dateIn(4));
      await dialog.getByLabel('Name').fill('Fair');
      await dialog.getByLabel(/^(On these days|An diesen Tagen)$/).selectOption('times');
      await dialog.getByLabel(/^(From|Von): /).fill('22:00');
      await dialog.getByLabel(/^(Until|Bis): /).fill('06:00');
      await dialog.getByText(/ends at midnight at the latest|endet spätestens um Mitternacht/).waitFor();
      expect(await save.isDisabled()).toBe(true);
      await checkScreen(page, 'schedule-exception');
      await dialog.getByLabel(/^(Until|Bis): /).fill('00:00');
      await save.click();
      await page
        .getByText(/· Fair$/)
        .nth(1)
        .waitFor();
      const evening = [{ start: 22 * HOUR, end: 24 * HOUR }];
      expect(await exceptions()).toEqual([
        [dateIn(3), evening],
        [dateIn(4), evening],
      ]);
      await page
        .getByText(/The usual times return afterwards|Danach gelten wieder die üblichen Zeiten/)
        .first()
        .waitFor();
      await checkScreen(page, 'schedule-exceptions');
      await page
        .getByRole('button', { name: /Delete the exception|Ausnahme löschen/ })
        .first()
        .click();
      await expect.poll(exceptions).toEqual([[dateIn(4), evening]]);
    },
  );

  test('looks as in the documentation', { tags: ['slow'] }, async ({ hotel }) => {
    const { owner } = hotel;
    const days = {
      0: [[8, 18]],
      1: [[8, 18]],
      2: [[8, 18]],
      3: [[8, 18]],
      4: [
        [8, 18],
        [22, 24],
      ],
      5: [[0, 6]],
    } as const;
    const id = await newSchedule(owner, 'Day', days);
    const christmas = `${new Date().getUTCFullYear() + 1}-12-25`;
    await owner.callOk('PUT', `/schedules/${id}/exceptions/${christmas}`, { name: 'Christmas', ranges: [] });
    await owner.callOk('POST', '/member_groups', { name: 'Staff', permissions: [{ schedule_id: id }] });
    const page = await hotel.open(`/schedules/${id}`);
    await page.getByRole('link', { name: 'Staff, rule 1' }).waitFor();
    await page.getByText('Christmas').first().waitFor();
    await savePicture(page, 'console-schedule-desktop');
    const dark = await hotel.open(`/schedules/${id}`, { ...phone, colorScheme: 'dark' });
    await dark.getByRole('heading', { name: 'Monday' }).waitFor();
    await checkScreen(dark, 'schedule-dark');
  });
});
