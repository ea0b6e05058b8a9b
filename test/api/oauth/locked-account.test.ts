import { expect, it } from 'vitest';
import { insertUser, TEST_PASSWORD } from '@lintel/cloud-bridge/testing';
import { describePerDatabase } from '../../support/bridge/describe-on-both-databases.ts';
import { FormBrowser } from '../../support/bridge/form-browser.ts';
import { TestMailServer } from '../../support/bridge/mail-server.ts';
import { TestBridge } from '../../support/bridge/test-bridge.ts';

const LOCKED = 'There were too many attempts to sign in to this account.';

let networks = 0;
let accounts = 0;

describePerDatabase(
  'an account whose attempts strangers have used up',
  async engine => {
    const mail = await TestMailServer.open();
    const bridge = await TestBridge.open({ engine, mail: mail.options, publicUrl: 'http://bridge.test' });
    const close = async (): Promise<void> => {
      await bridge.close();
      mail.close();
    };
    return { bridge, mail, close };
  },
  fixture => {
    const newBrowser = (): FormBrowser =>
      new FormBrowser(fixture().bridge.app, `198.51.${Math.floor(++networks / 200)}.${networks % 200}`);
    const newAccount = async (): Promise<string> => {
      const email = `owner${++accounts}@example.test`;
      await insertUser(fixture().bridge.services, { email });
      return email;
    };
    const besiege = async (email: string): Promise<void> => {
      for (let guess = 0; guess < 31; guess++) await newBrowser().logIn(email, 'a wrong guess');
    };
    const linkIn = (letter: string): string => /http:\/\/bridge\.test(\/login\/link\/\S+)/.exec(letter)?.[1] ?? '';

    it('lets its user in with a mailed link and the password, once', async () => {
      const email = await newAccount();
      const before = fixture().mail.letters.length;
      await besiege(email);
      const own = newBrowser();
      const refused = await own.logIn(email, TEST_PASSWORD);
      expect([refused.status, refused.html.includes(LOCKED)]).toEqual([429, true]);
      const letter = await fixture().mail.letter(before + 1);
      expect(letter).toContain(`To: ${email}`);
      const link = linkIn(letter);
      const page = await own.follow(await own.get(link));
      expect((await own.submit(page, { email, password: 'a wrong guess' })).status).toBe(401);
      expect((await own.submit(page, { email, password: TEST_PASSWORD })).status).toBe(303);
      const again = newBrowser();
      await again.get(link);
      expect((await again.logIn(email, TEST_PASSWORD)).status).toBe(401);
      // The browser of the first login is known from now on.
      await own.submit(await own.get('/login'));
      expect((await own.logIn(email, TEST_PASSWORD)).status).toBe(303);
    });

    it('does not show whether it exists, and gets one mail an hour', { tags: ['slow'] }, async () => {
      const email = await newAccount();
      const before = fixture().mail.letters.length;
      const refusals: string[] = [];
      for (const address of [email, 'unknown@example.test']) {
        await besiege(address);
        for (let guess = 0; guess < 5; guess++) {
          const { status, html } = await newBrowser().logIn(address, TEST_PASSWORD);
          expect([address, status]).toEqual([address, 429]);
          refusals.push(html.replaceAll(address, '').replaceAll(/value="[^"]*"|data-[\w-]+="[^"]*"/g, ''));
        }
      }
      expect(new Set(refusals).size).toBe(1);
      const other = await newAccount();
      await besiege(other);
      expect(await fixture().mail.letter(before + 2)).toContain(`To: ${other}`);
      expect(fixture().mail.letters.length).toBe(before + 2);
      fixture().bridge.advanceSeconds(3_600);
      await besiege(email);
      expect(await fixture().mail.letter(before + 3)).toContain(`To: ${email}`);
    });

    it('accepts a link only for its user and for an hour', { tags: ['slow'] }, async () => {
      const [email, other] = [await newAccount(), await newAccount()];
      const before = fixture().mail.letters.length;
      await besiege(email);
      const link = linkIn(await fixture().mail.letter(before + 1));
      await besiege(other);
      const thief = newBrowser();
      await thief.get(link);
      expect((await thief.logIn(other, TEST_PASSWORD)).status).toBe(429);
      fixture().bridge.advanceSeconds(3_601);
      await besiege(email);
      const late = newBrowser();
      await late.get(link);
      expect((await late.logIn(email, TEST_PASSWORD)).status).toBe(429);
    });

    it('still gets a link for a new password, and earlier links stay valid', async () => {
      const email = await newAccount();
      const before = fixture().mail.letters.length;
      const request = async (): Promise<number> => {
        const browser = newBrowser();
        return (await browser.submit(await browser.get('/forgot-password'), { email })).status;
      };
      for (let asked = 0; asked < 25; asked++) expect(await request()).toBe(200);
      const received = () =>
        fixture()
          .mail.letters.slice(before)
          .filter(letter => letter.includes(`To: ${email}`));
      await expect.poll(() => received().length).toBe(20);
      const letter = received().at(-1)!.replaceAll('=\r\n', '');
      const [, path = ''] = /http:\/\/bridge\.test(\/reset-password\/\S+)/.exec(letter) ?? [];
      const own = newBrowser();
      const page = await own.follow(await own.get(path));
      expect((await own.submit(page, { new_password: 'a new long password of ann' })).location).toBe('/account');
    });
  },
  ['slow'],
);

it('waits, without a mail server, except in a browser that the user has used before', async () => {
  const bridge = await TestBridge.open();
  try {
    const email = 'alone@example.test';
    await insertUser(bridge.services, { email });
    const known = new FormBrowser(bridge.app, '192.0.2.1');
    await known.logIn(email, TEST_PASSWORD);
    await known.submit(await known.get('/login'));
    // One attacker with a /48.
    for (let guess = 0; guess < 31; guess++)
      await new FormBrowser(bridge.app, `2001:db8:1:${guess.toString(16)}::1`).logIn(email, 'a wrong guess');
    const refused = await new FormBrowser(bridge.app, '192.0.2.2').logIn(email, TEST_PASSWORD);
    expect([refused.status, refused.html]).toEqual([429, expect.stringContaining('ask the operator for a link')]);
    expect((await known.logIn(email, TEST_PASSWORD)).status).toBe(303);
  } finally {
    await bridge.close();
  }
});

it('counts the attempts from the networks of an IPv6 attacker together', { tags: ['slow'] }, async () => {
  const bridge = await TestBridge.open();
  try {
    const guess = async (ip: string, n: number): Promise<number> =>
      (await new FormBrowser(bridge.app, ip).logIn(`guess${n}@example.test`, 'a wrong guess')).status;
    const statuses: number[] = [];
    for (let n = 0; n < 45; n++) statuses.push(await guess(`2001:db8:1:${n.toString(16)}::1`, n));
    expect(statuses).toEqual([...Array<number>(40).fill(401), ...Array<number>(5).fill(429)]);
    expect(await guess('2001:db8:1:ff00::1', 45)).toBe(401);
    expect(await guess('2001:db8:2::1', 46)).toBe(401);
  } finally {
    await bridge.close();
  }
});
