import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lintelCommandLine } from '@lintel/cli/lintel-commands';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../architecture/read-sources-and-resolve-imports.ts';
import { SmallDisk } from '../support/faults/small-disk.ts';
import { lintelProgramFile } from '../support/processes/bundled-programs.ts';
import { type CommandResult, runLintel, spawnLintel } from '../support/processes/lintel-command.ts';
import { Terminal } from '../support/processes/lintel-terminal.ts';
import { requiredPython } from '../support/processes/pty.ts';
import { requireProgram } from '../support/require-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-commands-'));
const path = (name: string) => join(folder, name);
const data = ['--data', path('data')] as const;
const secret = ['--passphrase-file', path('passphrase')] as const;
const service = ['--http-port', '0', '--mqtt-port', '0'] as const;
const claim = ['--bridge', 'https://127.0.0.1:1', '--code', '7K3M-0QXW-PT5H'] as const;

beforeAll(async () => {
  mkdirSync(path('folder'));
  writeFileSync(path('file'), 'x "secret-of-the-file"\n');
  writeFileSync(path('passphrase'), 'correct horse battery');
  const pins = ['2580'];
  const hotel = { organization: { key: 'org', name: 'Hotel' }, members: [{ key: 'a', name: 'Ann', pins }] };
  writeFileSync(path('seed.json'), JSON.stringify(hotel));
  await runLintel('seed', path('seed.json'), ...data);
  await runLintel('backup', ...data, '--out', path('good.backup'), ...secret);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Subcommands by command. The empty one is the command without any. */
const subcommands: Readonly<Record<string, readonly string[]>> = {
  clock: ['', 'show', 'confirm'],
  user: ['', 'list', 'invite', 'reset-password'],
  organization: [
    '',
    'list',
    'create',
    'grant-whitelabel',
    'revoke-whitelabel',
    'retention',
    'export',
    'import',
    'delete',
  ],
  member: ['', 'export', 'erase'],
  cards: ['', 'import'],
  keys: ['', 'list', 'rotate', 'forget', 'reset'],
  gateway: ['', 'status'],
  profile: ['', 'list', 'check'],
  release: ['', 'keys', 'make', 'sign', 'verify'],
  rules: ['', 'check', 'get', 'set'],
  simulate: ['', 'door', 'scenario', 'replay', 'fleet'],
  image: ['', 'package', 'packages', 'prepare', 'build', 'flash'],
};

const names = lintelCommandLine.parts.flatMap(({ entries }) => entries.map(({ name }) => name));
const commands = names.flatMap(name => (subcommands[name] ?? ['']).map(word => [name, ...(word === '' ? [] : [word])]));
/** They work without arguments. */
const needNothing = ['profile list', 'doctor', 'simulate door'];

const foreignTexts = /\n +at .*:\d+|\bE[A-Z]{3,}: |routines:|secret-of-the-file/;

/** One or a few lines for people. */
const expectMessage = ({ code, stdout, stderr }: CommandResult, expected: number, call: string): void => {
  expect([call, code, stdout]).toEqual([call, expected, '']);
  expect([call, stderr]).toEqual([call, expect.stringMatching(/\S\n$/)]);
  expect([call, stderr]).toEqual([call, expect.not.stringMatching(foreignTexts)]);
};

describe('every command', () => {
  it.each(commands)('%s %s', async (...words) => {
    const call = words.filter(word => word !== undefined);
    const text = call.join(' ');
    const help = await runLintel(...call, '--help');
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toMatch(new RegExp(`^lintel ${call[0]}`));
    if (!needNothing.includes(text)) expectMessage(await runLintel(...call), 2, text);
    expectMessage(await runLintel(...call, '--no-such-option'), 2, `${text} --no-such-option`);
    const extra = await runLintel(...call, '--data', path('data'), 'a', 'b', 'c', 'd');
    expect([text, extra.code, extra.stdout]).toEqual([text, 2, '']);
  });
});

const dataCommands: ReadonlyArray<readonly string[]> = [
  ['seed', path('seed.json')],
  ['token', '--organization', 'org_1', '--scope', 'full_read_write'],
  ['clock', 'show'],
  ['user', 'list'],
  ['organization', 'create', '--name', 'Office'],
  ['organization', 'import', path('file'), ...secret],
  ['member', 'export', 'mem_1', '--organization', 'org_1'],
  ['cards', 'import', path('file'), '--organization', 'org_1'],
  ['keys', 'list'],
  ['backup', '--out', path('new.backup'), ...secret],
  ['restore', path('good.backup'), ...secret],
  ['broker-certificate', '--name', 'broker.example.com', '--out', path('broker')],
  ['bridge', ...service],
  ['gateway', '--listen', '127.0.0.1:0'],
  ['gateway', 'status'],
  ['device'],
  ['enroll', ...claim],
];

describe('a wrong --data', { tags: ['slow'] }, () => {
  it.each(dataCommands.map(call => [call.join(' '), call] as const))('is named by %s', async (text, call) => {
    const isStatus = text === 'gateway status';
    const file = await runLintel(...call, '--data', path('file'));
    expectMessage(file, 1, text);
    if (!isStatus) expect(file.stderr).toContain(`${path('file')}: is a file, but must be a folder`);
    expectMessage(await runLintel(...call, '--data', path('file/below')), 1, text);
    expectMessage(await runLintel(...call, '--data', '/proc/none'), 1, text);
  });
});

/** What a person named, and the part of the sentence about it. */
const wrongPaths: ReadonlyArray<readonly [sentence: string, ...call: readonly string[]]> = [
  ['folder: is a folder, but must be a file', 'seed', path('folder'), ...data],
  ['none: no such file or folder', 'seed', path('none'), ...data],
  ['file is not valid JSON: Unexpected token', 'seed', path('file'), ...data],
  ['folder already exists. Choose another file', 'backup', ...data, '--out', path('folder'), ...secret],
  ['none does not exist. Create it', 'backup', ...data, '--out', path('none/x'), ...secret],
  ['--passphrase-file: ', 'backup', ...data, '--out', path('x'), '--passphrase-file', path('folder')],
  ['file is not a backup of Lintel', 'restore', path('file'), '--data', path('r'), ...secret],
  ['folder: is a folder, but must be a file', 'restore', path('folder'), '--data', path('r'), ...secret],
  ['file: is a file, but must be a folder', 'broker-certificate', ...data, '--name', 'x', '--out', path('file')],
  ['folder: is a folder, but must be a file', 'cards', 'import', path('folder'), ...data, '--organization', 'org_1'],
  ['folder: is not a regular file', 'profile', 'check', path('folder')],
  ['file: is not valid JSON', 'profile', 'check', path('file')],
  ['file is not valid JSON', 'rules', 'check', path('file')],
  ['folder: is a folder, but must be a file', 'rules', 'check', path('folder')],
  ['folder: is a folder, but must be a file', 'simulate', 'scenario', path('folder')],
  ['none: no such file or folder', 'simulate', 'replay', path('none')],
  ['is not a release signing key', 'release', 'make', '--from', path('folder'), '--key', path('file')],
  ['none: no such file or folder', 'release', 'sign', path('file'), '--key', path('none'), '--out', path('o')],
  ['a part of this path is not a directory', 'release', 'verify', path('file'), '--keys', path('file')],
  ['none: no such file or folder', 'update', path('none')],
  ['none: no such file or folder. Is the card plugged in?', 'image', 'prepare', path('none')],
  ['--out: ', 'image', 'package', '--arch', 'arm64', '--out', path('file')],
  ['has no public keys', 'image', 'package', '--arch', 'arm64', '--release-keys', path('folder')],
  ['is not a block device', 'image', 'flash', path('folder')],
  ['--config: ', 'user', 'list', '--config', path('none')],
  ['--config: ', 'gateway', 'status', '--config', path('folder')],
  [
    '--tls-cert: ',
    'bridge',
    '--data',
    path('tls'),
    ...service,
    '--https-port',
    '0',
    '--tls-cert',
    path('none'),
    '--tls-key',
    path('none'),
  ],
];

describe('a wrong file or folder', { tags: ['slow'] }, () => {
  it.each(wrongPaths)('%s', async (sentence, ...call) => {
    const result = await runLintel(...call);
    expectMessage(result, 1, call.join(' '));
    expect(result.stderr).toContain(sentence);
    // Named once.
    for (const name of ['none', 'folder']) expect(result.stderr.split(path(name)).length).toBeLessThan(3);
  });
});

const lintel = (shell: string): Promise<CommandResult> =>
  new Promise(resolve => {
    const env = { ...process.env, LINTEL: `${process.execPath} ${lintelProgramFile}` };
    execFile('bash', ['-c', `set -o pipefail; ${shell}`], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    );
  });

describe('the output of a command', () => {
  it('may be closed by its reader', async () => {
    for (const call of ['profile list', '--help', `user list --data ${path('data')}`])
      expect(await lintel(`$LINTEL ${call} | true`)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('fails on a full disk with a sentence', async () => {
    for (const call of ['profile list', `user list --data ${path('data')} --json`])
      expect(await lintel(`$LINTEL ${call} > /dev/full`)).toEqual({
        code: 1,
        stdout: '',
        stderr: 'The output cannot be written: stdout: the disk is full\n',
      });
  });
});

describe('a disk or a folder that cannot be written', { tags: ['slow'] }, () => {
  it('is named when it is full', async context => {
    const disk = SmallDisk.mounted(context, 2);
    try {
      const full = disk.copyOf(path('data'));
      for (const call of [
        ['organization', 'create', '--name', 'Office', '--data', full],
        ['backup', ...data, '--out', join(disk.folder, 'a.backup'), ...secret],
        ['restore', path('good.backup'), '--data', join(disk.folder, 'restored'), ...secret],
        [
          'init',
          '--data',
          join(disk.folder, 'new'),
          '--organization',
          'X',
          '--owner',
          'a@example.test',
          '--password-file',
          path('passphrase'),
        ],
        ['enroll', ...claim, '--profile', 'virtual', '--data', join(disk.folder, 'door')],
        ['release', 'keys', '--out', join(disk.folder, 'key')],
        ['broker-certificate', ...data, '--name', 'x', '--out', join(disk.folder, 'broker')],
        ['image', 'package', '--arch', 'arm64', '--out', disk.folder],
      ]) {
        // A command that fails may free space.
        disk.fill();
        const result = await spawnLintel(...call);
        expectMessage(result, 1, call.join(' '));
        expect([call.join(' '), result.stderr]).toEqual([
          call.join(' '),
          expect.stringMatching(/full|needs|bytes|left|free/) as string,
        ]);
      }
    } finally {
      disk.unmount();
    }
  });

  it('is named when another user owns it', async context => {
    if (process.getuid?.() !== 0) context.skip('files of another user require root');
    chmodSync(folder, 0o711);
    const NOBODY = 65_534;
    const asNobody = (call: readonly string[]): Promise<CommandResult> =>
      new Promise(resolve => {
        const options = { uid: NOBODY, gid: NOBODY, cwd: '/', env: { PATH: process.env['PATH'] } };
        execFile(process.execPath, [join(root, 'cli/src/lintel.ts'), ...call], options, (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
        );
      });
    for (const call of dataCommands.filter(([name, word]) => name !== 'device' && word !== 'status')) {
      // The files that a command reads are root's as well, which it may say first.
      const result = await asNobody([...call, ...data]);
      expectMessage(result, 1, call.join(' '));
      expect([call.join(' '), result.stderr]).toEqual([call.join(' '), expect.stringMatching(/permission denied/)]);
    }
  });
});

describe('Ctrl-C', { tags: ['slow'] }, () => {
  it('ends long work without a stack trace, and the next call cleans up', async context => {
    requireProgram(context, requiredPython);
    const terminal = await Terminal.run([80, 30], 'backup', ...data, '--out', path('late.backup'), ...secret);
    await expect.poll(() => terminal.written).toContain('Deriving');
    terminal.type('\u0003');
    const { code } = await terminal.ended();
    await terminal.close();
    expect([code, terminal.written]).toEqual([-2, expect.not.stringMatching(foreignTexts)]);
    expect(await runLintel('backup', ...data, '--out', path('late.backup'), ...secret)).toMatchObject({ code: 0 });
    expect(readdirSync(path('data')).filter(name => name.startsWith('backup-work'))).toEqual([]);
    expect(readdirSync(folder).filter(name => name.endsWith('.new'))).toEqual([]);
  });
});
