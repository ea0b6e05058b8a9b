import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSampleEvents } from '@lintel/test/support/devices/sample-events';
import { EventReserveFile } from './event-reserve-file.ts';

const BYTES = 1_000_000;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-reserve-'));
  path = join(folder, 'events.reserve');
});
afterEach(() => rmSync(folder, { recursive: true }));

const allocated = (): EventReserveFile => {
  const reserve = new EventReserveFile(path, BYTES);
  while (reserve.allocate());
  return reserve;
};

/** As the next start reads it. */
const readAgain = () => new EventReserveFile(path, BYTES).read();

describe('EventReserveFile', () => {
  it('takes nothing before its space is allocated', () => {
    expect(new EventReserveFile(path, BYTES).append(createSampleEvents(1, 1))).toBe(false);
    expect(readAgain()).toEqual([]);
  });

  it('takes thousands of events without growing, then none until it is cleared', () => {
    const reserve = allocated();
    const taken = [];
    for (let first = 1; reserve.append(createSampleEvents(first, 10)); first += 10)
      taken.push(...createSampleEvents(first, 10));
    expect(taken.length).toBeGreaterThan(2_000);
    expect(statSync(path)).toMatchObject({ size: BYTES });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readAgain()).toEqual(taken);
    expect(reserve.append(createSampleEvents(1, 1))).toBe(false);
    reserve.clear();
    expect(readAgain()).toEqual([]);
    expect(reserve.append(createSampleEvents(7, 1))).toBe(true);
    expect(readAgain()).toEqual(createSampleEvents(7, 1));
  });

  it('continues after a restart, and does not return events from before it was cleared', () => {
    const first = allocated();
    first.append(createSampleEvents(1, 3));
    first.clear();
    first.append(createSampleEvents(11, 1));
    const second = allocated();
    expect(second.read()).toEqual(createSampleEvents(11, 1));
    second.append(createSampleEvents(12, 1));
    expect(readAgain()).toEqual(createSampleEvents(11, 2));
  });

  it('returns the complete events when a write was interrupted', () => {
    const reserve = allocated();
    reserve.append(createSampleEvents(1, 2));
    const before = readFileSync(path);
    reserve.append(createSampleEvents(3, 1));
    const after = readFileSync(path);
    const changed = [...after.keys()].filter(at => before[at] !== after[at]);
    for (const end of changed.filter((_, index) => index % 20 === 0)) {
      writeFileSync(path, Buffer.concat([after.subarray(0, end), before.subarray(end)]));
      expect(readAgain()).toEqual(createSampleEvents(1, 2));
    }
  });
});
