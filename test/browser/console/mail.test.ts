import { afterAll, describe, expect } from 'vitest';
import { TestMailServer } from '../../support/bridge/mail-server.ts';
import { germanPhone, test, testWalk } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { savePicture } from '../../support/browser/pictures.ts';
import { desktop } from '../../support/browser/test-browser.ts';

const mailServer = await TestMailServer.open();
afterAll(() => mailServer.close());

describe('credentials by email', () => {
  test.override({ bridgeOptions: { mail: mailServer.options } });

  testWalk(
    'sends the PIN of a new stay, and again on the page of the member',
    { tags: ['slow'] },
    async (hotel, options) => {
      const { length } = mailServer.letters;
      const page = await hotel.open('/members/new', options);
      await page.getByLabel('Name').fill('Clara Stay');
      await page.getByLabel('Room 101').check();
      await page.getByLabel(/Send PIN|PIN und Magic Link/).check();
      await page.getByText(/Enter an email address|Geben Sie eine E-Mail-Adresse/).waitFor();
      await page.getByLabel(/^(Email|E-Mail)$/).fill('clara@example.test');
      await page.getByLabel(/Language of the person|Sprache der Person/).selectOption('es');
      await checkScreen(page, 'mail-stay');
      if (options === desktop) await savePicture(page, 'console-stay-mail-desktop');
      await page.getByRole('button', { name: /Create stay|Aufenthalt anlegen/ }).click();
      await page.getByText(/(Sent to|Gesendet an) clara@example.test/).waitFor();
      await checkScreen(page, 'mail-stay-created');
      const pin = await page.getByRole('status', { name: 'PIN' }).innerText();
      const letter = await mailServer.letter(length + 1);
      expect(letter).toContain('Subject: Tu acceso a Hotel Lintel');
      expect(letter).toContain(`    ${pin}`);

      await page.getByRole('link', { name: /Open member|Mitglied öffnen/ }).click();
      await page.getByRole('button', { name: /Send by email|Per E-Mail senden/ }).click();
      await checkScreen(page, 'mail-send-again');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Send|Senden)$/ })
        .click();
      await page
        .getByText(/(Sent to|Gesendet an) clara@example.test/)
        .first()
        .waitFor();
      expect(await mailServer.letter(length + 2)).toContain(`    ${pin}`);
      await page.goto(`${hotel.address}${hotel.pathOf('/activity?kind=reveal')}`);
      await page
        .getByText(/Olivia (sent a PIN of Clara .* by email|hat eine PIN von Clara .* per E-Mail gesendet)/)
        .first()
        .waitFor();
    },
  );
});

describe('without a mail server', () => {
  test('the form of a new stay says that no email is sent', async ({ hotel }) => {
    const page = await hotel.open('/members/new', germanPhone);
    await page.getByText('Lintel verschickt hier keine E-Mails.').waitFor();
    await page.getByLabel(/PIN und Magic Link/).waitFor({ state: 'detached' });
    await checkScreen(page, 'mail-none');
  });
});
