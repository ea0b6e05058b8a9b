import { describe } from 'vitest';
import { addGuests, testWalk } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';

describe('activity', () => {
  testWalk('shows the activity live, as sentences with their JSON', async (hotel, options) => {
    await addGuests(hotel);
    const page = await hotel.open('/activity', options);
    await page
      .getByText(
        /created the group|die Gruppe .* erstellt|created a PIN|eine PIN .* erstellt|created the member|das Mitglied .* erstellt/,
      )
      .first()
      .waitFor();
    await hotel.owner.callOk('POST', `/gadgets/${hotel.doorId('Room 101')}/actions/open`, {});
    await page
      .getByRole('button', { name: /Olivia opened Room 101|Olivia hat Room 101 aus der Ferne geöffnet/ })
      .first()
      .click();
    await page.getByText(/JSON of the API|JSON der API/).click();
    await page.getByText('"gadget_action_id": "open"').waitFor();
    await checkScreen(page, 'admin-event');
    await page.getByRole('button', { name: /Close|Schließen/ }).click();
    await checkScreen(page, 'admin-activity');
    await page.getByRole('combobox', { name: /Kind of event|Art des Ereignisses/ }).selectOption('deny');
    await page.getByText(/No event matches|Kein Ereignis passt/).waitFor();
  });
});
