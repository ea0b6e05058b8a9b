import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runLintel } from '../support/processes/lintel-command.ts';
import { startBridge } from '../support/processes/bridge-process.ts';
import type { StartedProgram } from '../support/processes/start-program.ts';

let folder: string;
let bridge: StartedProgram;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-fleet-'));
  bridge = await startBridge(folder, '--mqtts-port', '0', '--log-level', 'error');
}, 120_000);
afterAll(async () => {
  await bridge.stop();
  rmSync(folder, { recursive: true });
});

interface FleetReport {
  readonly site_id: string;
  readonly broker: string;
  readonly taps: { readonly made: number; readonly committed: number };
}

const fleet = async (...args: readonly string[]) => {
  const at = ['--bridge', bridge.ready['http']!, '--data', folder];
  const { code, stdout, stderr } = await runLintel('simulate', 'fleet', ...at, '--json', ...args);
  if (stdout === '') throw new Error(`${code}: ${stderr}`);
  return { code, report: JSON.parse(stdout) as FleetReport };
};

describe('lintel simulate fleet', () => {
  it('claims and connects controllers, verifies their snapshots and commits every tap', async () => {
    const { code, report } = await fleet('--devices', '12', '--duration', '0.3', '--tap-rate', 'max');
    expect(report).toMatchObject({ devices: 12, claimed: 12, connected: 12, serving: 12, lost_lines: 0 });
    expect(report).toMatchObject({ refused_messages: 0, wrong_digests: 0, taps: { waiting: 0 } });
    const { made, committed } = report.taps;
    expect(committed).toBe(made);
    expect(committed).toBeGreaterThan(0);
    expect(code).toBe(0);
  });

  it('reuses its site and keys', { tags: ['slow'] }, async () => {
    const keys = join(folder, 'fleet-fleet.keys');
    expect(statSync(keys).mode & 0o777).toBe(0o600);
    const lines = readFileSync(keys, 'utf8').split('\n').length;
    const again = await fleet('--devices', '12', '--duration', '0');
    expect(again.report).toMatchObject({ devices: 12, claimed: 0, serving: 12 });
    expect(readFileSync(keys, 'utf8').split('\n').length).toBeLessThanOrEqual(lines + 1);
  });

  it('claims devices again whose keys were lost', { tags: ['slow'] }, async () => {
    const { report } = await fleet('--devices', '12', '--duration', '0');
    const elsewhere = join(folder, 'other.keys');
    const taken = await fleet('--devices', '13', '--duration', '0', '--keys', elsewhere);
    expect(taken.report).toMatchObject({ devices: 13, claimed: 13, serving: 13, site_id: report.site_id });
    expect(taken.code).toBe(0);
  });

  it('connects over MQTTS with the issued certificates', { tags: ['slow'] }, async () => {
    const terms = ['--name', 'secure', '--broker', bridge.ready['mqtts']!, '--tap-rate', 'max'];
    const { code, report } = await fleet('--devices', '3', '--duration', '0.2', ...terms);
    expect(report).toMatchObject({ connected: 3, serving: 3, taps: { waiting: 0 } });
    expect(report.broker).toMatch(/^mqtts:/);
    expect(code).toBe(0);
  });

  it('rejects a folder that is not of a bridge and creates nothing there', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'lintel-fleet-'));
    const call = (data: string) =>
      runLintel('simulate', 'fleet', '--devices', '1', '--bridge', bridge.ready['http']!, '--data', data);
    const missing = join(parent, 'mistyped');
    const answers = await Promise.all([call(missing), call(parent)]);
    expect(answers.map(({ code, stdout }) => [code, stdout])).toEqual([
      [1, ''],
      [1, ''],
    ]);
    for (const { stderr } of answers)
      expect(stderr).toMatch(/^Not the data folder of a bridge with SQLite: \S+\. .*\n$/);
    expect(existsSync(missing)).toBe(false);
    expect(readdirSync(parent)).toEqual([]);
    rmSync(parent, { recursive: true });
  });

  it('names the invalid option and exits with 2', async () => {
    const wrong = [
      ['--devices', '0', '--bridge', 'http://127.0.0.1:1'],
      ['--devices', '5'],
      ['--devices', '5', '--bridge', 'http://127.0.0.1:1', '--tap-rate', 'often'],
      ['--devices', '5', '--bridge', 'http://127.0.0.1:1'],
    ];
    const answers = await Promise.all(wrong.map(args => runLintel('simulate', 'fleet', ...args)));
    expect(answers.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(answers.map(({ stderr }) => stderr.split('\n')[0])).toEqual([
      '--devices must be a whole number from 1 to 100000',
      '--bridge must be an address such as http://127.0.0.1:8080',
      '--tap-rate must be a number of at least 0',
      expect.stringContaining('LINTEL_TOKEN'),
    ]);
  });
});
