import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBridge } from '@lintel/cloud-bridge/main';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LostSequenceRange, openEventStore, saveMemberIndexOf } from '@lintel/device-runtime/testing';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { claimGateway, startGateway } from '../support/devices/claim-and-start-gateway.ts';
import { FirmwareSite } from '../support/devices/firmware-site.ts';
import { storedEvents } from '../support/devices/read-stored-controller-events.ts';
import {
  createBitFlips,
  createTruncations,
  type FileDamage,
  listDataFiles,
} from '../support/faults/bit-flips-and-truncations.ts';
import { waitUntil } from '../support/wait-until.ts';

const ANN = '04a1b2c3d4e5f6';
const BOB = '04a1b2c3d4e5f7';
const NO_BRIDGE = 'mqtt://127.0.0.1:1';
const USES = 40;
const ONE_SENTENCE = /^[^\n]+$/;

let home: string;
let bridge: TestBridge;
let site: FirmwareSite;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'lintel-random-damage-'));
  bridge = await TestBridge.open({ isTicking: true });
  site = await FirmwareSite.open(bridge);
});
afterAll(async () => {
  await site.close();
  await bridge.close();
  rmSync(home, { recursive: true });
});

/** Applies each damage to a copy of the folder. */
const withEach = async (
  template: string,
  damages: readonly FileDamage[],
  check: (dataDir: string, what: string) => Promise<void>,
): Promise<void> => {
  for (const { what, apply } of damages) {
    const dataDir = join(home, 'case');
    rmSync(dataDir, { recursive: true, force: true });
    mkdirSync(dataDir, { mode: 0o700 });
    cpSync(template, dataDir, { recursive: true });
    apply(dataDir);
    await check(dataDir, what);
  }
};

describe('A controller after damage to one of its files', () => {
  let template: string;
  let events: readonly DeviceEvent[];

  const start = (dataDir: string) =>
    createSimulatedController({
      dataDir,
      log: () => undefined,
      system: { now: () => bridge.now, isSynchronized: () => false },
      network: { product_id: 'virtual', firmware: 'test', url: NO_BRIDGE },
      snapshotStoreOptions: { fewestIndexedMembers: 1 },
    });

  beforeAll(async () => {
    const door = await site.claimController();
    const group = await site.createGroup(door.gadgetId);
    await site.createMember(group, { uid: ANN });
    const bob = await site.createMember(group, { uid: BOB });
    door.start();
    await door.waitUntilSynced();
    await site.client.callOk('DELETE', `/members/${bob}`);
    await door.waitUntilSynced();
    await door.waitUntilEventsUploaded();
    await door.stop();
    await saveMemberIndexOf(door.dataDir);
    const device = start(door.dataDir);
    for (let use = 0; use < USES; use++) device.reader.tap(ANN);
    // As after a power cut.
    template = join(home, 'controller');
    cpSync(door.dataDir, template, { recursive: true });
    await device.stop();
    const copy = join(home, 'copy');
    cpSync(template, copy, { recursive: true });
    events = storedEvents(copy).filter(({ kind }) => kind === 'use');
  });

  it('has recorded each use', () => expect(events).toHaveLength(USES));

  /** The waiting events, and the losses that are reported when all of them are read. */
  const readEvents = (dataDir: string) => {
    const store = openEventStore(dataDir);
    const lost: LostSequenceRange[] = [];
    let stored: readonly DeviceEvent[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        stored = store.read(0, Number.MAX_SAFE_INTEGER, 100_000);
      } catch {
        store.recover();
      }
      for (let step = store.salvage(); step !== null; step = store.salvage()) lost.push(...step.lost);
    }
    store.close();
    return { ids: new Set(stored.map(({ id }) => id)), lost: [...lost, ...stored.flatMap(event => event.lost ?? [])] };
  };

  const check = async (dataDir: string, what: string): Promise<void> => {
    const device = start(dataDir);
    const opened: string[] = [];
    device.outputs.onChange(({ output, on }) => on && opened.push(output));
    const isOpenedBy = (use: () => void): boolean => {
      opened.length = 0;
      use();
      return opened.includes('strike-0');
    };
    const opensForBob = isOpenedBy(() => device.reader.tap(BOB));
    const opensForAnn = isOpenedBy(() => device.reader.tap(ANN));
    device.inputs.press('exit-0');
    const opensForExit = device.outputs.isOn('strike-0');
    const faults = device.controller.faults();
    await waitUntil(
      () => !readdirSync(dataDir).some(name => name.startsWith('events.db.damaged-')),
      () => `the end of the recovery after ${what}`,
    );
    await device.stop();
    const { ids, lost } = readEvents(dataDir);
    // With another organization in its enrollment, the controller keeps the events for the previous one.
    const areArchived =
      what.endsWith('identity/membership.json') &&
      readdirSync(dataDir).some(name => name.startsWith('events.db.left-behind-'));
    const isKnown = ({ id, sequence }: DeviceEvent): boolean =>
      areArchived || ids.has(id) || lost.some(({ first, last }) => first <= sequence && sequence <= last);
    expect({
      what,
      opensForBob,
      opensForExit,
      isDenialSilent: !opensForAnn && faults.length === 0,
      isOneSentence: faults.every(({ message }) => ONE_SENTENCE.test(message)),
      vanished: events.filter(event => !isKnown(event)).map(({ sequence }) => sequence),
    }).toEqual({
      what,
      opensForBob: false,
      opensForExit: true,
      isDenialSilent: false,
      isOneSentence: true,
      vanished: [],
    });
  };

  it('serves its door and loses no event without a report: bit flips', { timeout: 600_000 }, () =>
    withEach(template, createBitFlips(template, listDataFiles(template), 300), check),
  );

  it('serves its door and loses no event without a report: truncation', { timeout: 600_000 }, () =>
    withEach(template, createTruncations(template, listDataFiles(template), 15), check),
  );
});

describe('A gateway after damage to one of its files', () => {
  let template: string;

  beforeAll(async () => {
    template = await claimGateway(bridge, site.client, site.siteId);
    await (await startGateway(bridge, template, site.url)).stop();
  });

  const check = async (dataDir: string, what: string): Promise<void> => {
    const gateway = await startGateway(bridge, dataDir, NO_BRIDGE);
    const { faults } = gateway.status();
    await gateway.stop();
    expect({ what, isOneSentence: faults.every(({ message }) => ONE_SENTENCE.test(message)) }).toEqual({
      what,
      isOneSentence: true,
    });
  };

  it('runs and reports a damaged certificate of its authority', async () => {
    const damage = (dataDir: string): void => {
      const file = join(dataDir, 'identity/membership.json');
      const enrollment = JSON.parse(readFileSync(file, 'utf8')) as { readonly ca_certificate: string };
      const ca_certificate = enrollment.ca_certificate.replace(/^(M[^\n]{40})./m, '$1A');
      // Without its checksum, the file counts as undamaged.
      writeFileSync(file, JSON.stringify({ ...enrollment, ca_certificate, checksum: undefined }));
    };
    await withEach(template, [{ what: 'certificate', apply: damage }], async dataDir => {
      const gateway = await startGateway(bridge, dataDir, NO_BRIDGE);
      expect(gateway.status().faults.map(({ code }) => code)).toContain('identity');
      await gateway.stop();
    });
  });

  it('runs: bit flips', { timeout: 600_000 }, () =>
    withEach(template, createBitFlips(template, listDataFiles(template), 300), check),
  );

  it('runs: truncation', { timeout: 600_000 }, () =>
    withEach(template, createTruncations(template, listDataFiles(template), 10), check),
  );
});

describe('A bridge after damage to one of its files', () => {
  let template: string;

  beforeAll(async () => {
    template = join(home, 'bridge');
    const opened = await createBridge({ dataDir: template, logger: false });
    await opened.services.authority();
    await opened.close();
  });

  const start = (dataDir: string): Promise<string> =>
    createBridge({ dataDir, logger: false }).then(
      running => running.close().then(() => 'started'),
      (error: Error) => error.message,
    );

  const check = async (dataDir: string, what: string): Promise<void> => {
    const result = await start(dataDir);
    expect({ what, result }).toEqual({ what, result: expect.stringMatching(ONE_SENTENCE) });
  };

  it('starts without damage', () =>
    withEach(template, [{ what: 'nothing', apply: () => undefined }], async dataDir => {
      expect(await start(dataDir)).toBe('started');
    }));

  it('starts or refuses with one sentence: bit flips', { timeout: 600_000 }, () =>
    withEach(template, createBitFlips(template, listDataFiles(template), 150), check),
  );

  it('starts or refuses with one sentence: truncation', { timeout: 600_000 }, () =>
    withEach(template, createTruncations(template, listDataFiles(template), 6), check),
  );
});
