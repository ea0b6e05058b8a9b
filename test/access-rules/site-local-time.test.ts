import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { computeLocalSecondOfWeek, resolveTimeZone } from '@lintel/access-core/time-zone';
import { describe, expect, it } from 'vitest';
import { requireProgram } from '../support/require-program.ts';

const zones = [
  'Africa/Cairo',
  'Africa/Casablanca',
  'America/New_York',
  'America/Recife',
  'America/St_Johns',
  'Antarctica/Troll',
  'Asia/Gaza',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Europe/Madrid',
  'Pacific/Apia',
  'Pacific/Chatham',
];

/**
 * Changes of the tz database in these zones. If only one side has the release, later instants of the zone are not
 * compared.
 */
const revisions = [{ zone: 'Africa/Casablanca', from: Date.UTC(2026, 8, 20), release: '2026c' }];

const python = { command: 'python3', install: 'apt install python3 tzdata' };

interface Oracle {
  readonly tzdata: string;
  readonly local_times: Readonly<Record<string, readonly (readonly [seconds: number, secondOfWeek: number])[]>>;
}

const localTimesFromPython = (request: object): Oracle => {
  const script = join(import.meta.dirname, 'zoneinfo-oracle.py');
  const { stdout, stderr } = spawnSync(python.command, [script], {
    input: JSON.stringify(request),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (stdout === '') throw new Error(`python3 failed: ${stderr}`);
  return JSON.parse(stdout) as Oracle;
};

describe('site-local time', () => {
  it('matches an independent implementation at 30,000 instants, half of them near a clock change', {
    timeout: 60_000,
  }, context => {
    requireProgram(context, python);
    const oracle = localTimesFromPython({ zones, years: [1990, 2051], seed: 'lintel', instants_per_zone: 2500 });
    const ours = process.versions['tz'] ?? 'unknown';
    const revised = revisions.filter(({ release }) => oracle.tzdata < release !== ours < release);
    const mismatches: string[] = [];
    let compared = 0;
    for (const name of zones) {
      const zone = resolveTimeZone(name);
      if (!zone.ok) throw new Error(`Unknown time zone: ${name}`);
      const end = Math.min(Infinity, ...revised.filter(({ zone }) => zone === name).map(({ from }) => from));
      for (const [seconds, expected] of oracle.local_times[name] ?? []) {
        const at = seconds * 1000;
        if (at >= end) continue;
        compared++;
        const actual = computeLocalSecondOfWeek(zone.value, instant(at));
        if (actual !== expected) mismatches.push(`${name} ${new Date(at).toISOString()}: ${actual}, not ${expected}`);
      }
    }
    expect(mismatches, `tz database here ${ours}, python's ${oracle.tzdata}`).toEqual([]);
    expect(compared).toBeGreaterThanOrEqual(30_000);
  });
});
