import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../architecture/read-sources-and-resolve-imports.ts';
import { lintelProgramFile } from '../support/processes/bundled-programs.ts';

const ports = ['--http-port', '0', '--mqtt-port', '0'];
const programs: Readonly<Record<string, readonly string[]>> = {
  bridge: [...ports, '--host', '127.0.0.1'],
  gateway: ['--listen', '127.0.0.1:0', '--no-mdns'],
  device: ['--profile', 'laptop-simulator', '--technician-host', '127.0.0.1', '--technician-port', '0', '--no-mdns'],
};

/** The log of the program, from its start until it has stopped. */
const logOf = async (program: string, ...options: readonly string[]): Promise<string[]> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-log-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  // A controller and a gateway then log that the folder cannot be locked.
  mkdirSync(join(dataDir, 'folder.lock'));
  const args = [lintelProgramFile, program, '--data', dataDir, ...programs[program]!, ...options];
  const child = spawn(process.execPath, args, { cwd: root });
  const log = text(child.stderr);
  const exited = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), exited]);
  child.kill();
  await exited;
  // The setup code is for the person at the console, and is not part of the log.
  return (await log).split('\n').filter(line => line !== '' && !line.startsWith('Technician page '));
};

describe.each(Object.keys(programs))('log of lintel %s', { tags: ['slow'] }, program => {
  it('has JSON lines with time, level and msg', async () => {
    const lines = await logOf(program);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        level: expect.stringMatching(/^(?:debug|info|warn|error)$/),
        msg: expect.any(String),
      });
    }
  });

  it('is text for people with --log-format text', async () => {
    const lines = await logOf(program, '--log-format', 'text');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z (?:debug|info |warn |error) \S/);
  });
});
