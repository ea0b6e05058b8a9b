import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FormBrowser } from '../support/bridge/form-browser.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { runLintel } from '../support/processes/lintel-command.ts';

const PUBLIC_URL = 'https://doors.example.com';
const CHOSEN = 'my own long password';

describe('operator commands for users, organizations and cards', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-users-'));
  let bridge: TestBridge;
  let organizationId: string;
  let ownerLink: string;

  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runLintel(...args, '--data', dataDir, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as Record<string, string> & {
      users: Record<string, unknown>[];
      organizations: unknown[];
    };
  };

  const choosePassword = async (link: string | undefined, new_password: string): Promise<FormBrowser> => {
    const browser = new FormBrowser(bridge.app);
    const page = await browser.follow(await browser.get(String(link).replace(PUBLIC_URL, '')));
    expect((await browser.submit(page, { new_password })).location).toBe('/account');
    return browser;
  };

  beforeAll(async () => {
    // The clock of the commands is the real one.
    bridge = await TestBridge.open({ dataDir, clock: () => Date.now() as never });
    const creation = ['organization', 'create', '--name', 'Grand Hotel', '--owner', 'Eva@example.test'];
    const created = await run(...creation, '--public-url', PUBLIC_URL);
    organizationId = created['organization_id']!;
    ownerLink = created['invitation_url']!;
  });
  afterAll(async () => {
    await bridge.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('create an organization, whose owner accepts the invitation while the bridge runs', async () => {
    const invited = await run('user', 'list', '--organization', organizationId);
    expect(invited.users).toMatchObject([{ email: 'eva@example.test', role: 'owner', status: 'invited' }]);
    expect((await run('user', 'list')).users).toEqual([]);
    const browser = await choosePassword(ownerLink, CHOSEN);
    expect((await browser.get('/account')).html).toContain('Grand Hotel');
    expect((await run('user', 'list')).users).toMatchObject([{ email: 'eva@example.test', is_verified: true }]);
  });

  it('set how long an organization keeps its records', async () => {
    const limits = ['organization', 'retention', organizationId];
    expect(await run(...limits)).toEqual({
      organization_id: organizationId,
      limits: { events: 'default', deliveries: 'default' },
      chosen_days: { events: null, deliveries: null },
    });
    expect(await run(...limits, '--events', '400d', '--deliveries', 'forever')).toMatchObject({
      limits: { events: '400d', deliveries: 'forever' },
    });
    expect(await run(...limits, '--events', 'default')).toMatchObject({
      limits: { events: 'default', deliveries: 'forever' },
    });
    const { code, stderr } = await runLintel(...limits, '--events', '0d', '--data', dataDir);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--events must be a number of days such as 365d')]);
  });

  it('import cards, and name the line of an error', async () => {
    const file = join(dataDir, 'cards.csv');
    const importing = ['cards', 'import', file, '--organization', organizationId];
    writeFileSync(file, 'printed_code,uid\nLNT-1,04a1b2c3d4e5f6\n');
    expect(await run(...importing)).toMatchObject({ imported: 1, known: 0 });
    writeFileSync(file, 'printed_code,uid\nLNT-1,04a1b2c3d4e5f6\nLNT-2,4711\n');
    const { code, stderr } = await runLintel(...importing, '--data', dataDir);
    expect([code, stderr]).toEqual([1, expect.stringContaining('line 3: uid')]);
  });

  it('invite a user and print a link that resets a password', async () => {
    const tom = ['--organization', organizationId, '--email', 'tom@example.test', '--role', 'viewer'];
    const link = await run('user', 'invite', ...tom, '--public-url', PUBLIC_URL);
    await choosePassword(link['invitation_url'], CHOSEN);
    const reset = await run('user', 'reset-password', '--email', 'tom@example.test', '--public-url', PUBLIC_URL);
    await choosePassword(reset['reset_url'], 'another long password');
    expect((await new FormBrowser(bridge.app).logIn('tom@example.test', CHOSEN)).status).toBe(401);
    expect((await new FormBrowser(bridge.app).logIn('tom@example.test', 'another long password')).status).toBe(303);
  });

  it('grant and revoke whitelabel', async () => {
    const organization = { id: organizationId, name: 'Grand Hotel' };
    await run('organization', 'grant-whitelabel', organizationId);
    expect((await run('organization', 'list')).organizations).toEqual([{ ...organization, whitelabel: true }]);
    await run('organization', 'revoke-whitelabel', organizationId);
    expect((await run('organization', 'list')).organizations).toEqual([{ ...organization, whitelabel: false }]);
  });

  it('explain what is wrong', async () => {
    const fail = async (...args: readonly string[]) => {
      const { code, stderr } = await runLintel(...args, '--data', dataDir);
      return [code, stderr.split('\n')[0]];
    };
    expect(await fail('user', 'reset-password', '--email', 'nobody@example.test')).toEqual([
      1,
      'No user has the email address nobody@example.test.',
    ]);
    expect(await fail('organization', 'grant-whitelabel', 'org_unknown')).toEqual([
      1,
      'The organization org_unknown does not exist.',
    ]);
    expect(
      (await fail('user', 'invite', '--organization', organizationId, '--email', 'a@b', '--role', 'king'))[0],
    ).toBe(2);
    expect((await fail('user', 'list', '--role', 'owner'))[0]).toBe(2);
    expect((await fail('organization', 'paint'))[0]).toBe(2);
  });
});
