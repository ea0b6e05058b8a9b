import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestOrganizationClient, TestBridge } from '../../support/bridge/test-bridge.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

/** That of this repository, and that of the system, which is often older. */
const nodePrograms = [process.execPath, '/usr/bin/node'].filter(file => existsSync(file));

const program = `
import { LintelClient } from '@lintel/client';

const lintel = new LintelClient({ baseUrl: process.env.BASE_URL, token: process.env.TOKEN });
for await (const { name } of lintel.iterate('listMembers')) console.log('member', name);
const { data } = await lintel.call('listEvents', { query: { limit: 1, sort: 'recorded_at:desc' } });
const created = [];
for (const name of ['Ben', 'Cleo']) created.push((await lintel.call('createMember', { body: { name } })).id);
const filter = { 'object.type': 'member', verb: 'create' };
for await (const { object } of lintel.stream(filter, { since: data[0].id })) {
  console.log('created', created.indexOf(object.member_id));
  if (object.member_id === created[1]) break;
}
for (const member_id of created) await lintel.call('deleteMember', { path: { member_id } });
`;

const typedProgram = `
import { type Event, LintelApiError, LintelClient, OAuthTokenSource } from '@lintel/client';

const tokens = { access_token: '', refresh_token: '', expires_in: 3600 };
const token = new OAuthTokenSource({ tokenUrl: '', clientId: '', tokens, onTokens: () => undefined });
const lintel = new LintelClient({ baseUrl: '', token });
export const createPin = async (member_id: string): Promise<string> =>
  (await lintel.call('createMemberPin', { path: { member_id }, body: { length: 6 } })).pin;
export const follow = async (handle: (event: Event) => void): Promise<void> => {
  for await (const event of lintel.stream({ verb: 'deny' })) handle(event);
};
export const typeOf = (error: unknown): string | null => (error instanceof LintelApiError ? error.type : null);
// @ts-expect-error A member has a name.
await lintel.call('createMember', { body: { name: 1 } });
`;

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2022', 'dom'],
  types: [],
  noEmit: true,
};

describe('the package of @lintel/client', { tags: ['slow'] }, () => {
  let bridge: TestBridge;
  let organization: TestOrganizationClient;
  let baseUrl: string;
  let folder: string;
  let project: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lintel-client-package-'));
    project = join(folder, 'project');
    mkdirSync(project);
    const env = { PATH: process.env['PATH'], HOME: folder };
    await run('npm', ['pack', '-w', 'packages/client', '--pack-destination', folder], { cwd: root, env });
    const [tarball] = readdirSync(folder).filter(name => name.endsWith('.tgz'));
    await run('npm', ['install', '--offline', join(folder, tarball!)], { cwd: project, env });
    bridge = await TestBridge.open();
    organization = await bridge.newOrganization();
    baseUrl = `${await bridge.listen('127.0.0.1', 0)}/v2`;
    await organization.callOk('POST', '/members', { name: 'Ann' });
  });
  afterAll(async () => {
    await bridge.close();
    rmSync(folder, { recursive: true });
  });

  it('contains the compiled files, the license and the README, and needs no other package', () => {
    const installed = join(project, 'node_modules/@lintel/client');
    expect(readdirSync(join(project, 'node_modules')).filter(name => !name.startsWith('.'))).toEqual(['@lintel']);
    expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json', 'src']);
    expect(readdirSync(join(installed, 'dist'))).toEqual(expect.arrayContaining(['index.js', 'index.d.ts']));
    expect(readdirSync(join(installed, 'src')).filter(name => name.includes('.test.'))).toEqual([]);
    expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
  });

  it.each(nodePrograms)('runs with %s', async node => {
    writeFileSync(join(project, 'program.mjs'), program);
    const { stdout, stderr } = await run(node, ['program.mjs'], {
      cwd: project,
      env: { BASE_URL: baseUrl, TOKEN: organization.token },
    });
    expect([stdout, stderr]).toEqual(['member Ann\ncreated 0\ncreated 1\n', '']);
  });

  it('has types for programs with strict settings', async () => {
    writeFileSync(join(project, 'program.mts'), typedProgram);
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.mts'] }));
    const compiled = run(join(root, 'node_modules/.bin/tsc'), ['-p', project], { cwd: project });
    const { stdout } = await compiled.catch(({ stdout }: { stdout: string }) => ({ stdout }));
    expect(stdout).toBe('');
  });
});
