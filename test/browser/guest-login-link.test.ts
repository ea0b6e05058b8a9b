import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGuestWithLink, GuestPhone } from '../support/bridge/guest-phone.ts';
import { FormBrowser } from '../support/bridge/form-browser.ts';
import { TestMailServer } from '../support/bridge/mail-server.ts';
import { createTestDoor } from '../support/bridge/site-fixtures.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { desktop, HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';

describe('pages while strangers use up the attempts', { tags: ['slow'] }, () => {
  const browser = useBrowser();
  let mail: TestMailServer;
  let world: TestBridge;
  let address: string;

  beforeAll(async () => {
    mail = await TestMailServer.open();
    world = await TestBridge.open({ publicUrl: undefined, mail: mail.options });
    address = await world.bridge.listen('127.0.0.1', 0);
  }, HOOK_TIMEOUT);
  afterAll(async () => {
    await world.close();
    mail.close();
  }, HOOK_TIMEOUT);

  it('sign a guest in with the link of the mail, once', async () => {
    const email = 'ann@example.test';
    const client = await world.newOrganization();
    await createTestDoor(world, client);
    const { memberId } = await createGuestWithLink(client, [{}]);
    await client.callOk('POST', `/members/${memberId}/emails`, { email });
    for (let asked = 1; asked <= 30; asked++)
      await new GuestPhone(world, `198.51.100.${asked}`).call('POST', '/login', { email });
    for (const [language, text] of [
      ['de', 'viele Codes angefordert'],
      ['es', 'pedido muchos códigos'],
      ['en', 'Many codes were requested'],
    ] as const) {
      const page = await browser.open({ ...phone, locale: language });
      await page.goto(`${address}/guest/login`);
      await page.getByRole('textbox').fill(email);
      await page.keyboard.press('Enter');
      await page.getByText(text).waitFor();
      await checkScreen(page, `guest-link-sent-${language}`);
      await page.setViewportSize(desktop.viewport!);
      await checkScreen(page, `guest-link-sent-${language}`);
    }
    await expect.poll(() => mail.letters.some(letter => letter.includes('guest/login#'))).toBe(true);
    const letter = mail.letters.find(one => one.includes('guest/login#'))!.replaceAll('=\r\n', '');
    const [link = ''] = /http:\/\/\S+\/guest\/login#\S+/.exec(letter) ?? [];
    const page = await browser.open(phone);
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(page.url()).toBe(`${address}/guest`);
    const other = await browser.open(phone);
    await other.goto(link);
    await other.getByText('This link has expired or has already been used.').waitFor();
    expect(other.url()).toBe(`${address}/guest/login`);
    await checkScreen(other, 'guest-link-used');
  });

  it('tell a user about the mailed link', async () => {
    for (let guess = 0; guess < 31; guess++)
      await new FormBrowser(world.app, `203.0.113.${guess}`).logIn('eva@example.test', 'a wrong guess');
    for (const [size, options] of [
      ['phone', phone],
      ['desktop', desktop],
    ] as const) {
      const page = await browser.open(options);
      await page.goto(`${address}/login`);
      await page.getByLabel('Email').fill('eva@example.test');
      await page.getByLabel('Password').fill('a wrong guess');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('has received an email with a link').waitFor();
      await checkScreen(page, `login-locked-${size}`);
    }
  });
});
