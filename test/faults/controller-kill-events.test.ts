import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';
import { DeviceCredentialDigester } from '@lintel/device-runtime/credentials/credential-digests';
import {
  createDeviceEntry,
  createGadgetEntry,
  createMemberEntry,
  createMemberGroupEntry,
  createSiteEntry,
  createSnapshotChunk,
  openEventStore,
} from '@lintel/device-runtime/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepFailureEvidence } from '../support/faults/failure-evidence.ts';
import { programFile } from '../support/processes/bundled-programs.ts';
import { iterations } from '../support/test-iterations-and-seed.ts';

const controllerProcess = programFile('busy-controller');
const CARD = '04a1b2c3';
const KILLS = iterations({ sample: 1, all: 6 });

let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-kill-'));
  const device = createSimulatedController({ dataDir: folder, log: () => undefined });
  const digests = new DeviceCredentialDigester(device.digestKey);
  const member = createMemberEntry(digests, 'mem_ann', { cards: [CARD], groups: ['mg_all'] });
  const entries = [
    createDeviceEntry(),
    createSiteEntry(),
    createGadgetEntry({ id: 'gad_door' }),
    createMemberGroupEntry('mg_all', [{}]),
    member,
  ];
  await device.controller.receiveSnapshot(createSnapshotChunk(entries, 1, digests.keyId));
  await device.stop();
});
afterEach(context => {
  keepFailureEvidence(context, { directories: [folder] });
  rmSync(folder, { recursive: true });
});

/** Runs a controller, and kills it when its door has opened this often. Resolves with how often it opened. */
const killAfter = async (openings: number): Promise<number> => {
  const door = spawn(process.execPath, [controllerProcess, folder, CARD], { stdio: ['ignore', 'pipe', 'inherit'] });
  let opened = 0;
  const closed = once(door, 'close');
  for await (const line of createInterface({ input: door.stdout })) {
    opened = Number(line) || opened;
    if (opened >= openings) door.kill('SIGKILL');
  }
  await closed;
  return opened;
};

describe('Controller that is killed', () => {
  it('has an event for every opening of its door, with ascending numbers', { timeout: 600_000 }, async () => {
    let opened = 0;
    for (let kill = 0; kill < KILLS; kill++) opened += await killAfter(10 + kill * 37);
    const buffer = openEventStore(folder);
    const events = buffer.read(0, Number.MAX_SAFE_INTEGER, 1_000_000);
    const uses = events.filter(({ kind }) => kind === 'use');
    expect(opened).toBeGreaterThanOrEqual(KILLS * 10);
    expect(uses.length).toBeGreaterThanOrEqual(opened);
    // Events are written first: at most one tap per kill has an event, and its door did not open.
    expect(uses.length).toBeLessThanOrEqual(opened + KILLS);
    expect(events.every(({ sequence }, index) => sequence > (events[index - 1]?.sequence ?? 0))).toBe(true);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    buffer.close();
  });
});
