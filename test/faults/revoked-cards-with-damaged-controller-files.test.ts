import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { DeviceCredentialDigester } from '@lintel/device-runtime/credentials/credential-digests';
import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';
import { revocationMqttMessageSchema } from '@lintel/wire-protocol/mqtt/messages/revocation';
import { cardUidSchema } from '@lintel/wire-protocol/rest/card-uid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createDeviceEntry,
  createGadgetEntry,
  createMemberEntry,
  createMemberGroupEntry,
  createSiteEntry,
  createSnapshotChunk,
  saveMemberIndexOf,
} from '@lintel/device-runtime/testing';
import { iterations } from '../support/test-iterations-and-seed.ts';

const PAGE = 4096;
const MEMBERS = 150;
const ANN = '04a1b2c3';
/** Revoked in the snapshot. */
const BOB = '04a1b2c4';
/** Revoked by a message that the snapshot does not contain yet. */
const CAROL = '04a1b2c5';

let folder: string;
let intact: string;
let older: string;

const startController = (dataDir: string) =>
  createSimulatedController({ dataDir, log: () => undefined, snapshotStoreOptions: { fewestIndexedMembers: 1 } });

const createEntries = (digests: DeviceCredentialDigester, withBob: boolean): SnapshotEntry[] => {
  const member = (id: string, card: string) => createMemberEntry(digests, id, { cards: [card], groups: ['mg_all'] });
  const others = Array.from({ length: MEMBERS }, (_, index) =>
    member(`mem_${index}`, `05${index.toString(16).padStart(6, '0')}`),
  );
  return [
    createDeviceEntry(),
    createSiteEntry(),
    createGadgetEntry({ id: 'gad_door' }),
    createMemberGroupEntry('mg_all', [{}]),
    member('mem_ann', ANN),
    ...(withBob ? [member('mem_bob', BOB)] : []),
    member('mem_carol', CAROL),
    ...others,
  ];
};

const revocationOf = (revision: number, card: string) =>
  revocationMqttMessageSchema.parse({
    v: 1,
    revision,
    member_ids: [],
    member_pin_ids: [],
    member_card_ids: [card],
    member_token_ids: [],
    member_group_association_ids: [],
  });

/** With `isIndexed`, the saved member index contains Bob, and that he was removed is recorded as a change after it. */
const prepareFolders = async (isIndexed: boolean): Promise<void> => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-damage-'));
  [intact, older] = [join(folder, 'intact'), join(folder, 'older')];
  const first = startController(intact);
  const digests = new DeviceCredentialDigester(first.digestKey);
  await first.controller.receiveSnapshot(createSnapshotChunk(createEntries(digests, true), 1, digests.keyId));
  await first.stop();
  if (isIndexed) await saveMemberIndexOf(intact);
  const device = startController(intact);
  const { controller } = device;
  cpSync(intact, older, { recursive: true });
  controller.revoke(revocationOf(2, 'mc_mem_bob-0'));
  const after = createSnapshotChunk(createEntries(digests, false), 2, digests.keyId);
  await controller.receiveSnapshot({ ...after, from: 1, put: [], drop: [{ type: 'member', id: 'mem_bob' }] });
  controller.revoke(revocationOf(3, 'mc_mem_carol-0'));
  // The first part of the next change is in the write-ahead log.
  await controller.receiveSnapshot({ ...after, to: 4, chunks: 2 });
  // The files as they are after a power cut.
  cpSync(intact, join(folder, 'copy'), { recursive: true });
  await device.stop();
  rmSync(intact, { recursive: true });
  cpSync(join(folder, 'copy'), intact, { recursive: true });
};

interface DoorResult {
  readonly granted: readonly string[];
  readonly faults: readonly string[];
}

/** Starts a controller on a copy of the folder after the damage, and taps all cards. */
const tapAfter = async (damage: (dataDir: string) => void): Promise<DoorResult> => {
  const dataDir = join(folder, 'case');
  rmSync(dataDir, { recursive: true, force: true });
  cpSync(intact, dataDir, { recursive: true });
  damage(dataDir);
  return tap(dataDir);
};

/** Starts a controller, and taps all cards. */
const tap = async (dataDir: string): Promise<DoorResult> => {
  const device = startController(dataDir);
  const granted: string[] = [];
  for (const card of [ANN, BOB, CAROL]) {
    let opened = false;
    device.outputs.onChange(({ output, on }) => {
      opened ||= on && output === 'strike-0';
    });
    device.reader.tap(card);
    if (opened) granted.push(card);
  }
  const faults = device.controller.faults().map(({ code }) => code);
  await device.stop();
  return { granted, faults };
};

/** Never a grant for a revoked card, and never a denial of a valid one without a fault. */
const expectSafe = ({ granted, faults }: DoorResult, what: string): void => {
  const isSilent = !granted.includes(ANN) && faults.length === 0;
  expect({ what, revoked: granted.filter(card => card !== ANN), isSilent }).toEqual({
    what,
    revoked: [],
    isSilent: false,
  });
};

const flipBit = (file: string, position: number, bit: number): void => {
  const bytes = readFileSync(file);
  bytes[position]! ^= 1 << bit;
  writeFileSync(file, bytes);
};

const revocationFiles = ['state/revocations.json', 'state/revocations_copy.json'];

describe.each([
  ['', ['slice.db', 'slice.db-wal', ...revocationFiles]],
  [' and a saved member index', ['slice.db', 'slice.db-wal', 'member-index', ...revocationFiles]],
])('A controller with damaged files%s', (_, files) => {
  beforeAll(() => prepareFolders(files.includes('member-index')));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('grants valid cards and denies revoked ones when nothing is damaged', async () => {
    expect(await tapAfter(() => undefined)).toEqual({ granted: [ANN], faults: [] });
  });

  it.each(files)('denies revoked cards and reports a fault after bit flips in %s', async file => {
    const { length } = readFileSync(join(intact, file));
    const count = iterations({ sample: 5, all: 30 });
    for (let index = 0; index < count; index++) {
      const position = Math.floor(((index + 0.5) * length) / count);
      expectSafe(
        await tapAfter(dataDir => flipBit(join(dataDir, file), position, index % 8)),
        `bit ${index % 8} of byte ${position} in ${file}`,
      );
    }
  });

  it.each(files)('denies revoked cards and reports a fault after truncation of %s', async file => {
    const { length } = readFileSync(join(intact, file));
    const pages = Math.ceil(length / PAGE);
    const step = Math.max(1, Math.floor(pages / iterations({ sample: 3, all: pages })));
    for (let page = 0; page < pages; page += step)
      expectSafe(await tapAfter(dataDir => truncateSync(join(dataDir, file), page * PAGE)), `${file} of ${page} pages`);
  });

  it.each(files)(
    'denies revoked cards and reports a fault after 16 overwritten bytes in each page of %s',
    async file => {
      const { length } = readFileSync(join(intact, file));
      const pages = Math.ceil(length / PAGE);
      const step = Math.max(1, Math.floor(pages / iterations({ sample: 3, all: pages })));
      for (let page = 0; page < pages; page += step)
        expectSafe(
          await tapAfter(dataDir => {
            const bytes = readFileSync(join(dataDir, file));
            bytes.fill(0x5a, page * PAGE + 24, page * PAGE + 40);
            writeFileSync(join(dataDir, file), bytes);
          }),
          `page ${page} of ${file}`,
        );
    },
  );

  it('denies every card and reports a fault for an older snapshot, also with its seal', async () => {
    const result = await tapAfter(dataDir => {
      for (const suffix of ['', '-wal', '-shm']) {
        rmSync(join(dataDir, `slice.db${suffix}`), { force: true });
        if (existsSync(join(older, `slice.db${suffix}`)))
          cpSync(join(older, `slice.db${suffix}`), join(dataDir, `slice.db${suffix}`));
      }
    });
    expect(result).toEqual({ granted: [], faults: ['slice_damaged'] });
  });

  it('denies revoked cards when the changes after the member index are no longer recorded', async () => {
    const result = await tapAfter(dataDir => {
      const database = new SqliteDatabase(join(dataDir, 'slice.db'));
      database.exec('DELETE FROM changed_members');
      database.close();
    });
    expect(result).toEqual({ granted: [ANN], faults: [] });
  });

  it('denies every card and reports a fault when the revocation log is lost', async () => {
    const result = await tapAfter(dataDir => {
      for (const file of revocationFiles) rmSync(join(dataDir, file));
    });
    expect(result).toEqual({ granted: [], faults: ['slice_damaged'] });
  });

  it('uses the other copy of the revocation log and reports the damaged one', async () => {
    const result = await tapAfter(dataDir => truncateSync(join(dataDir, 'state/revocations.json'), 20));
    expect(result).toEqual({ granted: [ANN], faults: ['state_damaged:revocations', 'revocations_damaged'] });
  });

  it.each([
    ['revocations', ['revocations.json', 'revocations_copy.json']],
    ['all state', null],
  ])(
    'denies every card while %s cannot be read, and knows all again after a restart without the bridge',
    async (_, names) => {
      let healthy: readonly (readonly [string, Buffer])[] = [];
      const files = (dataDir: string) =>
        readdirSync(join(dataDir, 'state')).filter(name => names?.includes(name) ?? true);
      let before: readonly string[] = [];
      const result = await tapAfter(dataDir => {
        before = readdirSync(join(dataDir, 'state'));
        healthy = files(dataDir).map(name => {
          const path = join(dataDir, 'state', name);
          const bytes = readFileSync(path);
          rmSync(path);
          // Reading it fails with EIO.
          symlinkSync('/proc/self/mem', path);
          return [path, bytes] as const;
        });
      });
      expect(result.granted).toEqual([]);
      expect(result.faults).toContain('state_unreadable:revocations');
      const dataDir = join(folder, 'case');
      const present = readdirSync(join(dataDir, 'state'));
      expect(present.filter(name => name.includes('damaged'))).toEqual([]);
      expect(present).toEqual(expect.arrayContaining([...before]));
      for (const [path, bytes] of healthy) {
        expect(lstatSync(path).isSymbolicLink()).toBe(true);
        rmSync(path);
        writeFileSync(path, bytes);
      }
      expect(await tap(dataDir)).toEqual({ granted: [ANN], faults: [] });
    },
  );

  it('lets a technician open the door with a commissioning card', async () => {
    const dataDir = join(folder, 'case');
    await tapAfter(copy => truncateSync(join(copy, 'slice.db'), 0));
    const device = startController(dataDir);
    const opened: string[] = [];
    device.outputs.onChange(({ output, on }) => on && opened.push(output));
    const card = cardUidSchema.parse('04ffffff');
    const { commissioning } = device.controller.technician;
    expect(commissioning.createCard(card, '04…ff', { pass_id: null, user_id: null })).toBe(true);
    device.reader.tap(card);
    expect(opened).toContain('strike-0');
    await device.stop();
  });

  it('works again with the next snapshot', async () => {
    const dataDir = join(folder, 'case');
    await tapAfter(copy => truncateSync(join(copy, 'slice.db'), PAGE));
    const device = startController(dataDir);
    const { controller } = device;
    expect(controller.storedSnapshot).toBeNull();
    const digests = new DeviceCredentialDigester(device.digestKey);
    const next = createSnapshotChunk(createEntries(digests, false), 4, digests.keyId);
    expect(await controller.receiveSnapshot(next)).toMatchObject({ kind: 'applied' });
    expect(controller.faults()).toEqual([]);
    await device.stop();
    const again = startController(dataDir);
    expect([again.controller.storedSnapshot?.revision, again.controller.faults()]).toEqual([4, []]);
    await again.stop();
  });
});
