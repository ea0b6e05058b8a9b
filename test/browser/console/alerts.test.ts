import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createTestDevice } from '../../support/bridge/site-fixtures.ts';
import { WebhookTestServer } from '../../support/bridge/webhook-test-server.ts';
import { test, testWalk } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { savePicture } from '../../support/browser/pictures.ts';
import { desktop, HOOK_TIMEOUT } from '../../support/browser/test-browser.ts';

describe('alerts', () => {
  test.override({ bridgeOptions: { alertCheckMs: 100, webhookAllow: ['127.0.0.0/8'] } });
  let receiver: WebhookTestServer;
  beforeAll(async () => {
    receiver = await WebhookTestServer.open();
  }, HOOK_TIMEOUT);
  afterAll(() => receiver.close());

  testWalk('creates a rule, sends a test and reports a forced door', async (hotel, options) => {
    const where = options === desktop ? 'desktop' : 'phone';
    const page = await hotel.open('/alerts', options);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: /New alert rule|Neue Alarmregel/ }).click();
    await dialog.getByLabel(/^(When|Wenn)$/).selectOption('many_denials');
    await dialog.getByLabel(/^(Denials|Abweisungen)$/).fill('7');
    await checkScreen(page, 'alerts-new');
    await dialog.getByLabel(/^(When|Wenn)$/).selectOption('door_forced');
    await dialog.getByLabel('Webhook').selectOption('slack');
    await dialog.getByLabel(/Address of the webhook|Adresse des Webhooks/).fill(`${receiver.url}/${where}`);
    await dialog.getByRole('button', { name: /^(Create|Anlegen)$/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /Send test|Test senden/ }).click();
    await receiver.received(`/${where}`, 1);
    await page.getByText(/^(Sent|Gesendet)$/).waitFor();
    const gadget = {
      name: 'Back door',
      actions: [{ id: 'open', name: 'Open' }],
      states: [
        { id: 'closed', name: 'Closed' },
        { id: 'forced', name: 'Forced open' },
      ],
      signals: [],
    };
    const { gadgetId } = await createTestDevice(hotel.bridge, hotel.client, {
      site_id: hotel.siteId,
      gadgets: [gadget],
    });
    await hotel.owner.callOk('PATCH', `/gadgets/${gadgetId}`, { state_id: 'forced' });
    const messages = await receiver.received(`/${where}`, 2);
    const sentence = where === 'desktop' ? 'Back door was forced open' : 'Back door wurde aufgebrochen';
    expect(JSON.parse(String(messages[1]!.raw)).text).toContain(sentence);
    await page.getByText(sentence).first().waitFor();
    await checkScreen(page, 'alerts');
    if (where === 'desktop') await savePicture(page, 'console-alerts-desktop');
    await hotel.owner.callOk('PATCH', `/gadgets/${gadgetId}`, { state_id: 'closed' });
    await receiver.received(`/${where}`, 3);
  });
});
