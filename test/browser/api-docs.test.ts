import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { type TestOrganizationClient, TestBridge } from '../support/bridge/test-bridge.ts';
import { checkScreen } from '../support/browser/page-checks.ts';
import { desktop, HOOK_TIMEOUT, phone, useBrowser } from '../support/browser/test-browser.ts';

describe('API documentation page', () => {
  const browser = useBrowser();
  let bridge: TestBridge;
  let organization: TestOrganizationClient;
  let address: string;

  beforeAll(async () => {
    bridge = await TestBridge.open({ publicUrl: undefined });
    organization = await bridge.newOrganization();
    address = await bridge.listen('127.0.0.1', 0);
  }, HOOK_TIMEOUT);
  afterAll(() => bridge.close(), HOOK_TIMEOUT);

  it.each(['/docs', '/docs/admin'])(
    '%s fits a phone and passes axe, with open endpoints',
    { tags: ['slow'] },
    async path => {
      const page = await browser.open({ ...phone, onlyOrigin: address });
      await page.goto(`${address}${path}`);
      await page.evaluate(
        "for (const details of [...document.querySelectorAll('details')].slice(0, 5)) details.open = true",
      );
      await page.getByRole('button', { name: /^Send/ }).first().waitFor();
      await checkScreen(page, `api${path.replaceAll('/', '-')}`);
    },
  );

  it('permits no inline script but its own, and links only to existing parts', async () => {
    for (const url of ['/docs', '/docs/admin']) {
      const { payload, headers } = await bridge.app.inject({ url });
      const policy = headers['content-security-policy'] as string;
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'; connect-src 'self';/,
      );
      expect(policy).not.toContain('unsafe');
      expect(payload).not.toMatch(/<link|<img|style=|onclick=/);
      const targets = [...payload.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
      expect(targets.filter(id => !payload.includes(`id="${id}"`))).toEqual([]);
    }
  });

  it('shows every example in the chosen language and copies it', { tags: ['slow'] }, async () => {
    const page = await browser.open({
      ...desktop,
      onlyOrigin: address,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${address}/docs#createMemberPin`);
    const details = page.locator('#createMemberPin');
    await details.getByText('curl -X POST').waitFor();
    await page.getByLabel('Language of the examples').selectOption('Python');
    await details.getByText('import json, urllib.request').waitFor();
    expect(await details.getByText('curl -X POST').isVisible()).toBe(false);
    await details
      .getByRole('button', { name: 'Copy: Create a PIN, either generated with a given length or chosen, in Python' })
      .click();
    await details.getByText('Copied').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain('data=json.dumps({"length": 6})');
  });

  it('tries requests with a token that it creates with the session of the console', { tags: ['slow'] }, async () => {
    const owner = await openAdminSession(bridge, organization.organizationId, 'owner');
    const page = await browser.open({
      ...desktop,
      onlyOrigin: address,
      session: { cookie: owner.headers['cookie']!, url: address },
    });
    await page.goto(`${address}/docs/admin?organization=${organization.organizationId}#listSites`);
    await page.getByRole('button', { name: 'Create a token with my login' }).click();
    await page.getByText('The token is valid for 15 minutes, for Test.').waitFor();
    const details = page.locator('#listSites');
    expect(await details.getByLabel('organization_id').inputValue()).toBe(organization.organizationId);
    await details.getByRole('button', { name: 'Send GET request' }).click();
    await details.getByRole('status').getByText('"has_next": false').waitFor();
    const signedOut = await browser.open({ ...desktop, onlyOrigin: address });
    await signedOut.goto(`${address}/docs`);
    await signedOut.getByRole('button', { name: 'Create a token with my login' }).click();
    await signedOut.getByRole('link', { name: 'Sign in first' }).waitFor();
  });

  it('sends requests with the pasted token, and stores it nowhere', { tags: ['slow'] }, async () => {
    const member = await organization.callOk('POST', '/members', { name: 'Reservation 4711' });
    const page = await browser.open({ ...desktop, onlyOrigin: address });
    await page.goto(`${address}/docs#createMemberPin`);
    const details = page.locator('#createMemberPin');
    await details.getByLabel('member_id').fill(member.id);
    await details.getByRole('button', { name: 'Send POST request' }).click();
    await details.getByText('Create or paste an access token').waitFor();
    await page.getByLabel('Access token for "Try it"').fill(organization.token);
    await details.getByRole('button', { name: 'Send POST request' }).click();
    await details.getByRole('status').getByText('"length": 6').waitFor();
    const { data } = await organization.callOk('GET', `/members/${member.id}/pins`);
    expect(data).toMatchObject([{ length: 6 }]);
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
    );
    expect(stored).not.toContain(organization.token);
    await page.reload();
    expect(await page.getByLabel('Access token for "Try it"').inputValue()).toBe('');
  });
});
