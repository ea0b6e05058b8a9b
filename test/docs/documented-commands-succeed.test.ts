import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../architecture/read-sources-and-resolve-imports.ts';
import { runLintel, runLintelWith } from '../support/processes/lintel-command.ts';
import { blocksOf, pages, readPage } from './markdown.test-support.ts';
import { type LintelCall, shellCallsOf } from './shell-commands.test-support.ts';

/** Commands that are quick and write only to the given folders. */
const safeCommands = ['--help', 'profile', 'rules check', 'seed', 'token', 'keys', 'release keys', 'simulate door'];

const isSafe = ({ program, args }: LintelCall): boolean =>
  /^lintel(?:-bridge)?$/.test(program) && safeCommands.some(command => `${args.join(' ')} `.startsWith(`${command} `));

const exampleIn = (page: string): string => blocksOf(readPage(page)).find(({ language }) => language === 'json')!.text;

const folders: string[] = [];

/** Replaces the paths and ids of the examples by those of a new folder. */
const sandbox = async (): Promise<Readonly<Record<string, string>>> => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-docs-'));
  folders.push(folder);
  const place = (name: string): string => join(folder, name);
  writeFileSync(place('rules.json'), exampleIn('docs/technician/input-rules.md'));
  writeFileSync(place('hotel.json'), exampleIn('docs/operator/deploy-the-bridge.md'));
  copyFileSync(join(root, 'hardware-profiles/profiles/usb-only.json'), place('my-door.json'));
  const { stdout } = await runLintel('seed', place('hotel.json'), '--data', place('bridge'), '--json');
  const { ids } = JSON.parse(stdout) as { ids: { hotel: string } };
  return {
    'rules.json': place('rules.json'),
    'hotel.json': place('hotel.json'),
    'my-door.json': place('my-door.json'),
    'release.key': place('release.key'),
    '.lintel/bridge': place('bridge'),
    '/var/lib/lintel-bridge': place('bridge'),
    ORGANIZATION_ID: ids.hotel,
  };
};

const callsOf = new Map(
  pages
    .map(page => [page, shellCallsOf(readPage(page)).filter(isSafe)] as const)
    .filter(([, calls]) => calls.length > 0),
);

describe('commands in the documentation', () => {
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  it.each([...callsOf])('%s shows commands that succeed', async (_page, calls) => {
    const places = await sandbox();
    for (const { program, args, stdin } of calls) {
      // The packaged command finds the folder in the configuration of the service.
      const data = program === 'lintel-bridge' ? ['--data', places['.lintel/bridge']!] : [];
      const { code, stderr } = await runLintelWith(stdin, ...args.map(word => places[word] ?? word), ...data);
      expect([args.join(' '), code, stderr]).toEqual([args.join(' '), 0, expect.any(String)]);
    }
  });

  it('are tried on the pages of operators and technicians', () => {
    expect([...callsOf.keys()]).toEqual(
      expect.arrayContaining(['docs/operator/deploy-the-bridge.md', 'docs/technician/input-rules.md']),
    );
  });
});
