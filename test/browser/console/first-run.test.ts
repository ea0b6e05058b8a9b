import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect } from 'vitest';
import { germanPhone, type ListeningBridge, test } from '../../support/browser/console.ts';
import { checkScreen } from '../../support/browser/page-checks.ts';
import { savePicture } from '../../support/browser/pictures.ts';
import { desktop, type TestBrowser } from '../../support/browser/test-browser.ts';

const words = {
  en: {
    welcome: 'Welcome to Lintel',
    code: 'One-time code',
    wrongCode: 'This code is wrong. Copy it from the output of the bridge.',
    organization: 'Organization',
    person: 'Your name',
    email: 'Email',
    password: 'Password',
    tooShort: 'The password needs 5 more characters.',
    create: 'Create account',
    localAddress: 'which only this computer can reach',
    site: 'Where are your doors?',
    next: 'Continue',
    claim: 'Get a claim code',
    claimCode: 'Claim code',
    virtual: 'Create a virtual door',
    name: 'Name',
    keypad: 'Keypad',
    denied: 'Front door stays locked: unknown credential',
    granted: 'Front door is open',
    finish: 'Go to Home',
    opened: 'Ann opened Front door with a PIN',
  },
  de: {
    welcome: 'Willkommen bei Lintel',
    code: 'Einmalcode',
    wrongCode: 'Dieser Code ist falsch. Kopieren Sie ihn aus der Ausgabe der Bridge.',
    organization: 'Organisation',
    person: 'Ihr Name',
    email: 'E-Mail',
    password: 'Passwort',
    tooShort: 'Dem Passwort fehlen noch 5 Zeichen.',
    create: 'Konto anlegen',
    localAddress: 'die nur dieser Computer erreicht',
    site: 'Wo sind Ihre Türen?',
    next: 'Weiter',
    claim: 'Übernahmecode holen',
    claimCode: 'Übernahmecode',
    virtual: 'Virtuelle Tür anlegen',
    name: 'Name',
    keypad: 'Tastatur',
    denied: '„Eingangstür“ bleibt verriegelt: unbekanntes Zugangsmittel',
    granted: '„Eingangstür“ ist offen',
    finish: 'Zur Startseite',
    opened: /Ann hat Eingangstür .*geöffnet/,
  },
} as const;

/** From an empty bridge to an open door, with the keyboard where a person would use it. */
const walk = async (
  browser: TestBrowser,
  { bridge, address }: ListeningBridge,
  options: BrowserContextOptions,
  language: 'en' | 'de',
): Promise<void> => {
  const text = words[language];
  const page = await browser.open({ ...options, timezoneId: 'Europe/Lisbon', onlyOrigin: address });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const picture = async (name: string): Promise<void> => {
    if (language === 'en') await savePicture(page, `first-run-${name}-en`, true);
  };

  await page.goto(`${address}/`);
  await page.getByRole('heading', { name: text.welcome }).waitFor();
  await checkScreen(page, 'first-run');
  await page.getByLabel(text.code).fill('0000-0000-0000');
  await page.getByLabel(text.organization).fill('Hotel Lintel');
  await page.getByLabel(text.person).fill('Eva');
  await page.getByLabel(text.email).fill('eva@example.test');
  await page.getByLabel(text.password, { exact: true }).fill('correct');
  await page.getByText(text.tooShort).waitFor();
  await page.getByLabel(text.password, { exact: true }).fill('correct horse battery');
  await press(text.create);
  await page.getByText(text.wrongCode).waitFor();

  await page.goto('about:blank');
  await page.goto(bridge.bridge.firstRun.url);
  await page.getByRole('heading', { name: text.welcome }).waitFor();
  expect(page.url()).toBe(`${address}/setup`);
  await page.getByLabel(text.organization).fill('Hotel Lintel');
  await page.getByLabel(text.person).fill('Eva');
  await page.getByLabel(text.email).fill('eva@example.test');
  await page.getByLabel(text.password, { exact: true }).fill('correct horse battery');
  await picture('account');
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { name: text.site }).waitFor();
  expect(await page.getByRole('combobox').last().inputValue()).toBe('Europe/Lisbon');
  await checkScreen(page, 'start-site');
  await press(text.next);
  await page.getByText(text.localAddress).waitFor();
  await press(text.claim);
  expect(await page.getByRole('status', { name: text.claimCode }).innerText()).toMatch(/^\w{4}-\w{4}-\w{4}$/);
  await checkScreen(page, 'start-controller');
  await picture('controller');
  await press(text.virtual);
  await page.getByLabel(text.name, { exact: true }).fill('Ann');
  await checkScreen(page, 'start-member');
  await page.getByLabel('PIN').fill('2580');
  await press(text.next);

  const keypad = page.getByRole('group', { name: text.keypad });
  for (const key of '1111') await keypad.getByRole('button', { name: key, exact: true }).click();
  await keypad.getByRole('button', { name: /^(?:Hash|Raute)/ }).click();
  await page.getByText(text.denied).waitFor();
  await checkScreen(page, 'start-denied');
  await keypad.getByRole('button', { name: '2', exact: true }).focus();
  await page.keyboard.type('2580');
  await page.getByText(text.granted).waitFor();
  await checkScreen(page, 'start-granted');
  await picture('keypad');
  await page.getByRole('link', { name: text.finish }).click();
  await page.getByText(text.opened).first().waitFor();
  await page.goto(`${address}/setup`);
  await page.waitForURL(/\/organizations\//);
};

describe('first run', () => {
  test.override({ bridgeOptions: {} });

  test('leads from an empty bridge to an open door', ({ browser, listening }) =>
    walk(browser, listening, desktop, 'en'));
  test(
    'leads from an empty bridge to an open door, on a phone in German',
    { tags: ['slow'] },
    ({ browser, listening }) => walk(browser, listening, germanPhone, 'de'),
  );
});
