import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireProgram } from '../support/require-program.ts';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { FormBrowser } from '../support/bridge/form-browser.ts';
import { newTestDatabase } from '../support/bridge/postgres.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { requiredPython } from '../support/processes/pty.ts';
import { Terminal } from '../support/processes/lintel-terminal.ts';

const PASSWORD = 'correct horse battery';
const scratch = mkdtempSync(join(tmpdir(), 'lintel-init-'));
const passwordFile = join(scratch, 'password.txt');
writeFileSync(passwordFile, `${PASSWORD}\nsecond line\n`);
afterAll(() => rmSync(scratch, { recursive: true }));

const signIn = async (bridge: TestBridge, email: string): Promise<number> => {
  const browser = new FormBrowser(bridge.app);
  return (await browser.submit(await browser.get('/login'), { email, password: PASSWORD })).status;
};

describe('lintel init', () => {
  const dataDir = join(scratch, 'options');
  const owner = ['--owner', 'eva@example.test', '--password-file', passwordFile, '--timezone', 'Europe/Madrid'];
  const init = (...args: readonly string[]) => runLintel('init', '--data', dataDir, ...args);
  let created: { organization_id: string; pins: Record<string, string> };
  let bridge: TestBridge;

  beforeAll(async () => {
    const { stdout, stderr, code } = await init('--organization', 'Grand Hotel', ...owner, '--example-data', '--json');
    if (code !== 0 || stderr !== '') throw new Error(stderr);
    created = JSON.parse(stdout) as typeof created;
    bridge = await TestBridge.open({ dataDir, isTicking: true });
    // The clock of the commands is the real one.
    bridge.now = instant(Date.now());
  });
  afterAll(() => bridge.close());

  it('creates an owner who can sign in, and ends the first run', async () => {
    expect(await signIn(bridge, 'eva@example.test')).toBe(303);
    expect(await bridge.bridge.firstRun.isPending()).toBe(false);
  });

  it('creates example data whose PINs open the virtual doors', async () => {
    const admin = await openAdminSession(bridge, created.organization_id, 'owner');
    const sites = (await admin.get('/sites')).body.data;
    expect(sites).toMatchObject([{ name: 'Grand Hotel', timezone: 'Europe/Madrid' }]);
    const [device] = (await admin.get('/devices')).body.data;
    const type = (keys: string) => admin.callOk('POST', `/devices/${device!.id}/keypad`, { keys });
    for (const pin of Object.values(created.pins))
      expect(await type(`${pin}#`)).toMatchObject({ outcome: 'granted', reason: null });
    expect(await type(`*2${created.pins['Ann Example']}#`)).toMatchObject({ outcome: 'granted' });
    expect(await type(`*2${created.pins['Ben Example']}#`)).toMatchObject({ reason: 'no_matching_rule' });
  });

  it('refuses an organization or an address that exists, also beside a running bridge', async () => {
    const again = await init('--organization', 'grand hotel', ...owner);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain(`The organization Grand Hotel exists already (${created.organization_id})`);
    const other = await init('--organization', 'Second Hotel', ...owner);
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toContain('eva@example.test has an account already');
    const { body } = await (await openAdminSession(bridge, created.organization_id, 'owner')).callRoot(
      'GET',
      '/organizations',
    );
    expect(body.data).toHaveLength(1);
  });

  it('works with PostgreSQL', async () => {
    const database = await newTestDatabase();
    const args = ['init', '--data', join(scratch, 'postgres'), '--database', database, '--organization', 'Office'];
    const first = await runLintel(...args, ...owner, '--example-data', '--json');
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(await runLintel(...args, ...owner)).toMatchObject({ code: 1, stdout: '' });
  });

  it('prints what to do next', async () => {
    const args = ['--organization', 'Office', '--owner', 'ben@example.test', '--password-file', passwordFile];
    const { stdout, code } = await init(...args);
    expect(code).toBe(0);
    expect(stdout).toContain('Created the organization Office');
    expect(stdout).toContain(`npx lintel bridge --data ${dataDir}`);
    expect(stdout).not.toContain(PASSWORD);
  });

  it('names missing and invalid options without a terminal, and creates nothing', async () => {
    const empty = join(scratch, 'empty');
    const run = (...args: readonly string[]) => runLintel('init', '--data', empty, ...args);
    expect(await run()).toMatchObject({ code: 2 });
    expect(
      (await run('--organization', 'X', '--owner', 'no address', '--password-file', passwordFile)).stderr,
    ).toContain('--owner: Enter an email address');
    writeFileSync(join(scratch, 'short.txt'), 'short\n');
    const short = ['--organization', 'X', '--owner', 'a@example.test', '--password-file', join(scratch, 'short.txt')];
    expect((await run(...short)).stderr).toContain('at least 12 characters');
    const zone = ['--organization', 'X', '--owner', 'a@example.test', '--password-file', passwordFile];
    expect((await run(...zone, '--timezone', 'Mars/Olympus')).stderr).toContain('Unknown time zone: Mars/Olympus');
    expect((await runLintel('user', 'list', '--data', empty)).code).toBe(1);
  });
});

describe('lintel init in a terminal', () => {
  it('writes nothing when it is interrupted', async context => {
    requireProgram(context, requiredPython);
    const dataDir = join(scratch, 'interrupted');
    const terminal = await Terminal.run([80, 30], 'init', '--data', dataDir);
    await terminal.waitFor('Name of the organization');
    terminal.type('Workshop\u0003');
    expect(await terminal.ended()).toMatchObject({ code: 1, echo: true, canonical: true });
    expect(terminal.written).toContain('Stopped. Nothing was written.');
    expect(existsSync(dataDir)).toBe(false);
    await terminal.close();
  });

  it('asks for everything and does not show the password', async context => {
    requireProgram(context, requiredPython);
    const dataDir = join(scratch, 'terminal');
    const terminal = await Terminal.run([80, 30], 'init', '--data', dataDir);
    const answer = async (question: string, text: string): Promise<void> => {
      await terminal.waitFor(question);
      terminal.type(`${text}\r`);
    };
    await answer('Name of the organization', 'Workshop');
    await answer('Email address of the owner', 'nobody');
    await terminal.waitFor('Enter an email address');
    terminal.type('ann@example.test\r');
    await answer('Password of the owner', 'something mistyped 47');
    await answer('The password again', PASSWORD);
    await terminal.waitFor('The passwords differ. Type both again.');
    terminal.type(`${PASSWORD}\r`);
    await expect.poll(() => terminal.screen.filter(line => line.includes('The password again')).length).toBe(2);
    terminal.type(`${PASSWORD}\r`);
    await answer('Time zone of the site', 'Europe/Berlin');
    await answer('Create example data', 'y');
    expect(await terminal.ended()).toMatchObject({ code: 0, echo: true, canonical: true });
    expect(terminal.written).toContain('PIN of Ann Example');
    expect(terminal.written).not.toContain(PASSWORD);
    await terminal.close();
    const { stdout } = await runLintel('user', 'list', '--data', dataDir, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ users: [{ email: 'ann@example.test', is_verified: true }] });
  });
});
