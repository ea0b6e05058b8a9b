import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { saveMemberIndexOf, writeSnapshot } from '@lintel/device-runtime/testing';
import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { median } from '../harness/benchmark-types-and-statistics.ts';
import { doorEntries, hotelGuests, hotelGuestsWithTwoCredentials } from './door-snapshot.ts';

const STARTS = 5;

const memoryScript = new URL('measure-controller-memory.ts', import.meta.url);
const startScript = new URL('measure-controller-start.ts', import.meta.url);
const bareScript = new URL('read-and-hash-file.ts', import.meta.url);

/** In its own process, which prints JSON. */
const runScript = async <T>(script: URL, argument: string): Promise<T> => {
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(script), argument]);
  return JSON.parse(stdout) as T;
};

const writeGuests = (folder: string, guests: Iterable<SnapshotEntry>): void => {
  const entries = function* () {
    yield* doorEntries();
    yield* guests;
  };
  writeSnapshot(folder, entries());
};

const measureResidentMb = async (folder: string, count: number): Promise<number> => {
  const { members, rss } = await runScript<{ members: number; rss: number }>(memoryScript, folder);
  if (members !== count) throw new Error(`Expected ${count} members, loaded ${members}`);
  return rss / 2 ** 20;
};

/** The resident memory of a controller without a saved member index, and the time of a start with one. */
export const measureManyMembers = async (folder: string, count: number) => {
  writeGuests(folder, hotelGuests(count));
  const rss_mb = await measureResidentMb(folder, count);
  await saveMemberIndexOf(folder);
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let start = 0; start < STARTS; start++) {
    const { members, ready_s } = await runScript<{ members: number; ready_s: number }>(startScript, folder);
    if (members !== count) throw new Error(`Expected ${count} members, started with ${members}`);
    times.ours.push(ready_s);
    times.bare.push((await runScript<{ ready_s: number }>(bareScript, join(folder, 'member-index'))).ready_s);
  }
  return { rss_mb, ready_s: median(times.ours), bare_s: median(times.bare) };
};

/** The resident memory of a controller with two credentials for each member. */
export const measureTwoCredentials = async (folder: string, count: number): Promise<number> => {
  writeGuests(folder, hotelGuestsWithTwoCredentials(count));
  return measureResidentMb(folder, count);
};
