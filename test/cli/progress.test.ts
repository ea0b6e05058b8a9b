import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { runLintel, spawnLintel } from '../support/processes/lintel-command.ts';
import { Terminal } from '../support/processes/lintel-terminal.ts';
import { requiredPython } from '../support/processes/pty.ts';
import { requireProgram } from '../support/require-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-progress-'));
const path = (name: string) => join(folder, name);
const secret = ['--passphrase-file', path('passphrase')];
const data = ['--data', path('data')];

beforeAll(async () => {
  writeFileSync(path('passphrase'), 'correct horse battery');
  const members = Array.from({ length: 40 }, (_, index) => ({ key: `m${index}`, name: `Member ${index}` }));
  writeFileSync(path('seed.json'), JSON.stringify({ organization: { key: 'org', name: 'Hotel' }, members }));
  await runLintel('seed', path('seed.json'), ...data);
});
afterAll(() => rmSync(folder, { recursive: true }));

const CLEAR = '\r\u001B[K';

/** What the line showed, one after the other. The last is what is left of it. */
const runInTerminal = async (context: TestContext, ...args: readonly string[]): Promise<readonly string[]> => {
  requireProgram(context, requiredPython);
  const terminal = await Terminal.run([80, 30], ...args);
  expect(await terminal.ended()).toMatchObject({ code: 0 });
  await terminal.close();
  return terminal.written.split(CLEAR);
};

describe('long work in a terminal', () => {
  it('shows one line that ends empty, before the result', async context => {
    const shown = await runInTerminal(context, 'backup', ...data, '--out', path('a.backup'), ...secret);
    expect(shown.slice(1, -1)).toEqual(
      expect.arrayContaining([
        'Copying the database',
        expect.stringMatching(/^Writing \d+ %, \d+\.\d MB of \d+\.\d MB$/),
        expect.stringMatching(/^Verifying \d+ %/),
      ]),
    );
    expect(shown.at(-1)).toMatch(/^\S+a\.backup written and verified: 1 organization, 40 members .*\r\n$/);
    const restored = await runInTerminal(context, 'restore', path('a.backup'), '--data', path('restored'), ...secret);
    expect(restored.slice(1)).toContain('Checking the database');
    expect(restored.at(-1)).toMatch(/^Backup of .*\r\n$/);
  });

  it('counts objects of a seed file', async context => {
    const shown = await runInTerminal(context, 'seed', path('seed.json'), '--data', path('other'));
    expect(shown[1]).toBe('Creating objects 2 %, 1 of 40');
    expect(shown.at(-1)).toMatch(/^org\torg_/);
  });

  it('shows nothing with --json', { tags: ['slow'] }, async context => {
    const shown = await runInTerminal(context, 'backup', ...data, '--out', path('b.backup'), ...secret, '--json');
    expect(shown).toEqual([expect.stringMatching(/^\{"file":.*\}\r\n$/)]);
  });

  it('leaves an empty line when Ctrl-C ends it', async context => {
    requireProgram(context, requiredPython);
    const terminal = await Terminal.run([80, 30], 'backup', ...data, '--out', path('c.backup'), ...secret);
    await expect.poll(() => terminal.written).toContain('Copying');
    terminal.type('\u0003');
    const { code } = await terminal.ended();
    expect(code).toBe(-2);
    expect(terminal.written.endsWith(CLEAR)).toBe(true);
    await terminal.close();
  });
});

describe('long work without a terminal', () => {
  it('prints only the result', { tags: ['slow'] }, async () => {
    const { code, stdout, stderr } = await spawnLintel('backup', ...data, '--out', path('d.backup'), ...secret);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^\S+d\.backup written and verified/);
  });
});
