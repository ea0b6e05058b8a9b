import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPasswordResetLink } from '@lintel/cloud-bridge/testing';
import { describePerDatabase } from '../../support/bridge/describe-on-both-databases.ts';
import type { FormBrowser, FormPage } from '../../support/bridge/form-browser.ts';
import { TestMailServer } from '../../support/bridge/mail-server.ts';
import { OAuthFixture, PASSWORD } from '../../support/bridge/oauth-fixture.ts';

const CHOSEN = 'a new long password';

let networks = 0;

describePerDatabase(
  'forgotten password',
  async engine => {
    const mailServer = await TestMailServer.open();
    const oauth = await OAuthFixture.open({ engine, mail: mailServer.options });
    return {
      oauth,
      mailServer,
      close: async () => {
        await oauth.close();
        mailServer.close();
      },
    };
  },
  world => {
    const newBrowser = (): FormBrowser => world().oauth.browser(`198.51.100.${++networks}`);

    const request = async (browser: FormBrowser, email: string): Promise<FormPage> => {
      const login = await browser.get('/login');
      const [, forgot = ''] = /href="([^"]+)">Forgot password/.exec(login.html) ?? [];
      return browser.submit(await browser.get(forgot), { email });
    };

    /** Requests a link and returns its path. */
    const requestLink = async (email: string): Promise<string> => {
      const count = world().mailServer.letters.length;
      await request(newBrowser(), ` ${email.toUpperCase()}`);
      const letter = await world().mailServer.letter(count + 1);
      expect(letter).toContain(`To: ${email}`);
      return /http:\/\/bridge\.test(\/reset-password\/\S+)/.exec(letter)?.[1] ?? '';
    };

    const openLink = async (browser: FormBrowser, link: string): Promise<FormPage> =>
      browser.follow(await browser.get(link));

    it('is replaced through a link by email, which ends all sessions', async () => {
      const { oauth } = world();
      const { email } = await oauth.newTenant();
      const old = newBrowser();
      await old.logIn(email, PASSWORD);
      const link = await requestLink(email);
      const browser = newBrowser();
      const page = await openLink(browser, link);
      expect((await browser.submit(page, { new_password: 'too short' })).status).toBe(400);
      expect((await browser.submit(page, { new_password: CHOSEN })).location).toBe('/account');
      expect([await browser.isSignedIn(), await old.isSignedIn()]).toEqual([true, false]);
      expect((await newBrowser().logIn(email, PASSWORD)).status).toBe(401);
      expect((await newBrowser().logIn(email, CHOSEN)).status).toBe(303);
      expect(JSON.stringify(oauth.log.lines)).not.toContain(link.split('/').at(-1));
    });

    it('has links that work once, for one hour, and end with the first one used', async () => {
      const { oauth } = world();
      const { email } = await oauth.newTenant();
      const [used, other] = [await requestLink(email), await requestLink(email)];
      const browsers = [newBrowser(), newBrowser()];
      const pages = await Promise.all(browsers.map(browser => openLink(browser, used)));
      const answers = await Promise.all(
        browsers.map((browser, index) => browser.submit(pages[index]!, { new_password: `${CHOSEN} ${index}` })),
      );
      expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['303', '404']);
      for (const link of [used, other, '/reset-password/lpr_guessed']) {
        expect((await openLink(newBrowser(), link)).status).toBe(404);
      }
      const late = await requestLink(email);
      oauth.bridge.advanceSeconds(3599);
      expect((await openLink(newBrowser(), late)).status).toBe(200);
      oauth.bridge.advanceSeconds(1);
      expect((await openLink(newBrowser(), late)).status).toBe(404);
    });

    it('has the same answer for every address', async () => {
      const { oauth, mailServer } = world();
      const { email } = await oauth.newTenant();
      const count = mailServer.letters.length;
      const pages = [];
      for (const address of ['nobody@example.test', 'no address', email]) {
        const { status, html } = await request(newBrowser(), address);
        pages.push([status, html]);
      }
      expect(pages).toEqual([pages[0], pages[0], pages[0]]);
      expect(pages[0]?.[0]).toBe(200);
      expect(await mailServer.letter(count + 1)).toContain(`To: ${email}`);
      const stored = await oauth.bridge.services.storage.reader.selectFrom('password_resets').selectAll().execute();
      expect(stored.filter(({ user_id }) => user_id === null)).toHaveLength(2);
    });

    it('is throttled for one address in one network, without blocking other networks', async () => {
      const { oauth } = world();
      const { email } = await oauth.newTenant();
      const stranger = newBrowser();
      const statuses = [];
      for (let index = 0; index < 4; index++) statuses.push((await request(stranger, email)).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
      expect((await request(stranger, 'nobody2@example.test')).status).toBe(200);
      expect((await request(newBrowser(), email)).status).toBe(200);
    });

    it('rejects forms from other sites', async () => {
      const browser = newBrowser();
      for (const path of ['/forgot-password', '/reset-password', '/invitation', '/account/password']) {
        expect([path, (await browser.post(path, { email: 'a@b' })).status]).toEqual([path, 403]);
      }
    });
  },
);

describe('forgotten password without a mail server', () => {
  let oauth: OAuthFixture;
  beforeAll(async () => {
    oauth = await OAuthFixture.open();
  });
  afterAll(() => oauth.close());

  it('refers to the operator', async () => {
    expect((await oauth.browser().get('/forgot-password')).html).toContain('lintel user reset-password');
  });

  it('verifies the address of a user who got the password from an inviter', async () => {
    const { email, userId } = await oauth.newTenant();
    const { storage } = oauth.bridge.services;
    const session = oauth.browser();
    await session.logIn(email, PASSWORD);
    await storage.writer.updateTable('users').set({ verified_at: null }).where('id', '=', userId).execute();
    expect(await session.isSignedIn()).toBe(false);
    expect((await oauth.browser().logIn(email, PASSWORD)).status).toBe(401);
    const browser = oauth.browser();
    const path = new URL(await createPasswordResetLink(oauth.bridge.services, userId)).pathname;
    await browser.submit(await browser.follow(await browser.get(path)), { new_password: CHOSEN });
    expect(await browser.isSignedIn()).toBe(true);
  });
});
