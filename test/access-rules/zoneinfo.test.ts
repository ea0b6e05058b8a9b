import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { localTime, zoneFor } from '@lintel/access-core/time-zone';
import { describe, expect, it } from 'vitest';
import { requirePart } from '../reporting/system-part.ts';

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
 * What releases of the tz database have changed in these zones: where only one side has the release, the two rightly
 * differ from that instant on and are not compared. Anything else that differs is an error of ours.
 */
const revisions = [{ zone: 'Africa/Casablanca', from: Date.UTC(2026, 8, 20), release: '2026c' }];

const python = { command: 'python3', install: 'apt install python3 tzdata' };

interface Oracle {
  readonly tzdata: string;
  readonly answers: Readonly<Record<string, readonly (readonly [seconds: number, secondOfWeek: number])[]>>;
}

const askPython = (request: object): Oracle => {
  const script = join(import.meta.dirname, 'zoneinfo-answers.py');
  const { stdout, stderr } = spawnSync(python.command, [script], {
    input: JSON.stringify(request),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (stdout === '') throw new Error(`python3 gave no answer: ${stderr}`);
  return JSON.parse(stdout) as Oracle;
};

describe('site-local time', () => {
  it('matches an independent implementation at 30,000 instants, half of them near a clock change', {
    timeout: 60_000,
  }, context => {
    requirePart(context, python);
    const oracle = askPython({ zones, years: [1990, 2051], seed: 'lintel', instants_per_zone: 2500 });
    const ours = process.versions['tz'] ?? 'unknown';
    const revised = revisions.filter(({ release }) => oracle.tzdata < release !== ours < release);
    const mismatches: string[] = [];
    let compared = 0;
    for (const name of zones) {
      const zone = zoneFor(name);
      if (!zone.ok) throw new Error(`${name} is not known here`);
      const end = Math.min(Infinity, ...revised.filter(one => one.zone === name).map(one => one.from));
      for (const [seconds, expected] of oracle.answers[name] ?? []) {
        const at = seconds * 1000;
        if (at >= end) continue;
        compared++;
        const answer = localTime(zone.value, instant(at));
        if (answer !== expected) mismatches.push(`${name} ${new Date(at).toISOString()}: ${answer}, not ${expected}`);
      }
    }
    expect(mismatches, `tz database here ${ours}, python's ${oracle.tzdata}`).toEqual([]);
    expect(compared).toBeGreaterThanOrEqual(30_000);
  });
});
