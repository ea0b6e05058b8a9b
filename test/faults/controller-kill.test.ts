import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DigestKeyFile } from '@lintel/device-runtime/adapters/digest-key/key-file';
import { EventBuffer } from '@lintel/device-runtime/adapters/sqlite/event-buffer';
import { SliceCache } from '@lintel/device-runtime/adapters/sqlite/slice-cache';
import { CredentialDigests } from '@lintel/device-runtime/app/credential-digests';
import {
  deviceEntry,
  gadgetEntry,
  groupEntry,
  memberEntry,
  siteEntry,
  snapshotOf,
} from '@lintel/device-runtime/testing/door-entries';
import { afterEach, beforeEach, expect, it } from 'vitest';

const child = fileURLToPath(new URL('controller-kill-child.ts', import.meta.url));
const CARD = '04a1b2c3';
const ROUNDS = 6;

let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-kill-'));
  const digests = new CredentialDigests(new DigestKeyFile(join(folder, 'digest.key')).read());
  const slices = new SliceCache(join(folder, 'slice.db'));
  const member = memberEntry(digests, 'mem_ann', { cards: [CARD], groups: ['mg_all'] });
  const entries = [deviceEntry(), siteEntry(), gadgetEntry({ id: 'gad_door' }), groupEntry('mg_all', [{}]), member];
  await slices.receive(snapshotOf(entries, 1, digests.keyId));
  slices.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the door until it has opened so many times, and kills it without a word. Answers how often it opened. */
const killedAfter = async (openings: number): Promise<number> => {
  const door = spawn(process.execPath, [child, folder, CARD], { stdio: ['ignore', 'pipe', 'inherit'] });
  let opened = 0;
  const closed = once(door, 'close');
  for await (const line of createInterface({ input: door.stdout })) {
    opened = Number(line) || opened;
    if (opened >= openings) door.kill('SIGKILL');
  }
  await closed;
  return opened;
};

it('every opening of a door that is killed at any moment is in its buffer, numbered without a hole', async () => {
  let opened = 0;
  for (let round = 0; round < ROUNDS; round++) opened += await killedAfter(10 + round * 37);
  const buffer = new EventBuffer({ file: join(folder, 'events.db'), remembered: () => ({ ceiling: 0, confirmed: 0 }) });
  const events = buffer.read(0, Number.MAX_SAFE_INTEGER, 1_000_000);
  const uses = events.filter(({ kind }) => kind === 'use');
  expect(opened).toBeGreaterThan(ROUNDS * 10);
  expect(uses.length).toBeGreaterThanOrEqual(opened);
  // Written ahead: at most the one tap of each round that was under way has an event and no movement.
  expect(uses.length).toBeLessThanOrEqual(opened + ROUNDS);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  buffer.close();
});
