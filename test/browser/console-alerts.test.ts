import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDevice } from '../support/bridge/site-fixtures.ts';
import { WebhookTestServer } from '../support/bridge/webhook-test-server.ts';
import { useConsole } from '../support/browser/console-fixture.ts';
import { germanPhone, savePicture } from '../support/browser/console-opener-and-docs-screenshots.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { desktop, HOOK_TIMEOUT } from '../support/browser/test-browser.ts';

describe('alerts in the console', { tags: ['slow'] }, () => {
  const hotel = useConsole({ alertCheckMs: 100, webhookAllow: ['127.0.0.0/8'] });
  let receiver: WebhookTestServer;
  beforeAll(async () => {
    receiver = await WebhookTestServer.open();
  }, HOOK_TIMEOUT);
  afterAll(() => receiver.close());

  const walks: readonly [string, BrowserContextOptions][] = [
    ['desktop', desktop],
    ['phone', germanPhone],
  ];

  it.each(walks)('creates a rule, sends a test and reports a forced door, %s', async (where, options) => {
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
    await page
      .getByRole('button', { name: /Send test|Test senden/ })
      .first()
      .click();
    await receiver.received(`/${where}`, 1);
    await page
      .getByText(/^(Sent|Gesendet)$/)
      .first()
      .waitFor();
    const { data: sites } = await hotel.owner.callOk('GET', '/sites');
    const client = await hotel.bridge.newApplication(hotel.owner.organizationId);
    const gadget = {
      name: `Back door ${where}`,
      actions: [{ id: 'open', name: 'Open' }],
      states: [
        { id: 'closed', name: 'Closed' },
        { id: 'forced', name: 'Forced open' },
      ],
      signals: [],
    };
    const { gadgetId } = await createTestDevice(hotel.bridge, client, {
      site_id: sites[0]!.id as never,
      gadgets: [gadget],
    });
    await hotel.owner.callOk('PATCH', `/gadgets/${gadgetId}`, { state_id: 'forced' });
    const messages = await receiver.received(`/${where}`, 2);
    const sentence = `Back door ${where} ${where === 'desktop' ? 'was forced open' : 'wurde aufgebrochen'}`;
    expect(JSON.parse(String(messages[1]!.raw)).text).toContain(sentence);
    await page.getByText(sentence).first().waitFor();
    await checkScreen(page, 'alerts');
    if (where === 'desktop') await savePicture(page, 'alerts-desktop');
    await hotel.owner.callOk('PATCH', `/gadgets/${gadgetId}`, { state_id: 'closed' });
    await receiver.received(`/${where}`, 3);
  });
});
