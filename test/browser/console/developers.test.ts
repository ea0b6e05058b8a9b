import { TEST_PASSWORD } from '@lintel/cloud-bridge/testing';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { WebhookTestServer } from '../../support/bridge/webhook-test-server.ts';
import { test, testWalk } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { savePicture } from '../../support/browser/pictures.ts';
import { HOOK_TIMEOUT } from '../../support/browser/test-browser.ts';

describe('developer screens', () => {
  let receiver: WebhookTestServer;
  beforeAll(async () => {
    receiver = await WebhookTestServer.open();
  }, HOOK_TIMEOUT);
  afterAll(() => receiver.close());

  testWalk(
    'creates an application, rotates its secret and sends events to a webhook',
    { tags: ['slow'] },
    async (hotel, options) => {
      const page = await hotel.open('/developers', options);
      const path = `/${options.locale}`;
      await page.getByRole('button', { name: /New application|Neue Anwendung/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Booking system');
      await dialog.getByLabel('Redirect').fill('https://pms.example.com/callback');
      await checkScreen(page, 'developers-new-application');
      await dialog.getByRole('button', { name: /^(Create|Anlegen)$/ }).click();
      const secret = page.getByRole('status', { name: /Client secret|Client-Geheimnis/ });
      expect(await secret.innerText()).toMatch(/^lcs_/);
      await checkScreen(page, 'developers-application-created');
      await page
        .getByRole('link', { name: /Booking system/ })
        .first()
        .click();
      await page.getByRole('button', { name: /Rotate secret|Geheimnis ersetzen/ }).click();
      await dialog.getByRole('button', { name: /Rotate secret|Geheimnis ersetzen/ }).click();
      expect(await secret.innerText()).toMatch(/^lcs_/);

      await page.getByRole('button', { name: /New webhook|Neuer Webhook/ }).click();
      await dialog.getByLabel(/Address|Adresse/).fill(`${receiver.url}${path}`);
      await dialog.getByRole('button', { name: /Add line|Zeile hinzufügen/ }).click();
      await dialog.getByLabel(/Object of line 3|Objekt von Zeile 3/).selectOption('tag');
      await dialog.getByLabel(/What happened, line 3|Was geschehen ist, Zeile 3/).selectOption('create');
      await dialog.getByLabel(/^(Door|Tür)$/).check();
      await checkScreen(page, 'developers-new-webhook');
      await dialog.getByRole('button', { name: /^(Create|Anlegen)$/ }).click();
      expect(await page.getByRole('status', { name: /Signing secret|Signaturgeheimnis/ }).innerText()).toMatch(/^whs_/);
      await checkScreen(page, 'developers-application');

      await page.getByRole('link', { name: new RegExp(path) }).click();
      await page.getByRole('button', { name: /Send test event|Testereignis senden/ }).click();
      await receiver.received(path, 1);
      await hotel.owner.callOk('POST', '/tags', { name: `VIP` });
      await receiver.received(path, 2);
      const deliveries = page.getByRole('button', { name: /Delivered|Zugestellt/ });
      await deliveries.nth(1).waitFor();
      // The list names the event.
      await deliveries.filter({ hasText: /Olivia .*VIP/ }).waitFor();
      await checkScreen(page, 'developers-webhook');
      await deliveries.first().click();
      await dialog.getByText('"verb": "create"').waitFor();
      await checkScreen(page, 'developers-delivery');
      await dialog.getByRole('button', { name: /Send again|Erneut senden/ }).click();
      await receiver.received(path, 3);
    },
  );

  testWalk('creates a token that works and revokes it', async (hotel, options) => {
    const page = await hotel.open('/developers/tokens', options);
    await page.getByRole('button', { name: /New token|Neues Token/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Export');
    await dialog.getByLabel(/Permission|Berechtigung/).selectOption('full_read_write');
    await checkScreen(page, 'developers-new-token');
    await dialog.getByRole('button', { name: /^(Create|Anlegen)$/ }).click();
    const token = await page.getByRole('status', { name: /Access token|Zugriffstoken/ }).innerText();
    const status = async () =>
      (await fetch(`${hotel.address}/v2/members`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await status()).toBe(200);
    await checkScreen(page, 'developers-tokens');
    await page.getByRole('button', { name: /: Export/ }).click();
    await dialog.getByRole('button', { name: /Revoke|Widerrufen/ }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await status()).toBe(401);
    await page.getByRole('link', { name: /Authorizations|Freigaben/ }).click();
    await page.getByText('cli', { exact: true }).waitFor();
    await checkScreen(page, 'developers-authorizations');
  });

  testWalk('asks for the password when the login is not fresh, and repeats the request', async (hotel, options) => {
    const page = await hotel.open('/developers/tokens', options);
    await page.getByRole('button', { name: /New token|Neues Token/ }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Late');
    await hotel.bridge.services.storage.writer
      .updateTable('sessions')
      .set({ authenticated_at: 0 })
      .where('user_id', '=', hotel.owner.userId)
      .execute();
    await page.getByRole('button', { name: /^(Create|Anlegen)$/ }).click();
    const question = page.getByRole('dialog', { name: /Confirm that it is you|Bestätigen Sie, dass Sie es sind/ });
    await question.getByLabel(/Password|Passwort/).fill('a wrong password');
    await question.getByRole('button', { name: /^(Confirm|Bestätigen)$/ }).click();
    await question.getByText(/The password is wrong|Das Passwort ist falsch/).waitFor();
    await checkScreen(page, 'developers-fresh-login');
    await question.getByLabel(/Password|Passwort/).fill(TEST_PASSWORD);
    await question.getByRole('button', { name: /^(Confirm|Bestätigen)$/ }).click();
    await question.waitFor({ state: 'detached' });
    const token = page.getByRole('status', { name: /Access token|Zugriffstoken/ });
    expect(await token.innerText()).toMatch(/^lat_/);
  });

  testWalk('shows new events as JSON until it is paused', async (hotel, options) => {
    const page = await hotel.open('/developers/stream', options);
    await page.getByText('Live', { exact: true }).waitFor();
    await checkScreen(page, 'developers-stream-empty');
    await hotel.owner.callOk('POST', '/members', { name: 'Guest' });
    await page.getByText(/Member: created|Mitglied: angelegt/).click();
    await page.getByText('"type": "member"').waitFor();
    await checkScreen(page, 'developers-stream');
    await page.getByRole('button', { name: /Pause|Anhalten/ }).click();
    await page.getByText(/^(Paused|Angehalten)$/).waitFor();
    await page.getByRole('link', { name: /API and recipes|API und Rezepte/ }).click();
    await page.getByText('TypeScript', { exact: true }).click();
    await page.getByText(`baseUrl: '${hotel.address}/v2'`).first().waitFor();
    expect(await page.getByRole('link', { name: /Public API|Öffentliche API/ }).getAttribute('href')).toContain(
      hotel.owner.organizationId,
    );
  });

  test('looks as in the documentation', { tags: ['slow'] }, async ({ hotel }) => {
    const { id } = await hotel.owner.callOk('POST', '/applications', { name: 'Booking system' });
    const webhooks = `/applications/${id}/webhooks`;
    const filter = [
      { object_type: 'gadget_action', verb: 'use' },
      { object_type: 'gadget_action', verb: 'deny' },
    ];
    const webhook = await hotel.owner.callOk('POST', webhooks, { url: `${receiver.url}/doors`, filter });
    await hotel.owner.callOk('POST', `${webhooks}/${webhook.id}/test`, {});
    await receiver.received('/doors', 1);
    const page = await hotel.open(`/developers/applications/${id}/webhooks/${webhook.id}`);
    await page.getByRole('button', { name: /Delivered/ }).waitFor();
    await savePicture(page, 'console-webhook-desktop');
  });
});
