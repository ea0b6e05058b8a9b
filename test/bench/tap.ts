import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import SqliteDatabase from 'better-sqlite3';
import { DigestKeyFile } from '@lintel/device-runtime/credentials/digest-key-file';
import { toRow } from '../../device-runtime/src/events/store/event-row.ts';
import { CredentialDigests } from '@lintel/device-runtime/credentials/credential-digests';
import { AccessChecker } from '../../device-runtime/src/access/access-checker.ts';
import { RevocationLog } from '../../device-runtime/src/credentials/revocation-log.ts';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';
import { MemoryState } from '../support/memory-state.ts';
import { asPinDigits } from '@lintel/access-core/pin-digits';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { asCardUid } from '@lintel/wire-protocol/rest/card';
import type { Benchmark, Measurement } from './benchmark.ts';
import { percentile } from './decide-fixture/batch-times.ts';
import { doorEntries, hotelGuests, keyholders, pinOf, uidOf, writeSlice } from './tap-fixture/door-slice.ts';

const MEMBERS = 100_000;
const MILLION = 1_000_000;
const TAPS = 5_000;
const WARM_UP = 1_000;
/** After so many nobody comes for a moment, and the controller does what has waited for that. */
const RUSH = 250;
const DECISIONS = 50_000;

type Device = ReturnType<typeof createSimulatedController>;

/** The same row, flushed, with nothing around it. */
const bareInserts = (folder: string) => {
  const database = new SqliteDatabase(join(folder, 'bare.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE events (sequence INTEGER PRIMARY KEY, confirmed INTEGER, crc INTEGER, body TEXT) STRICT');
  const insert = database.prepare('INSERT INTO events VALUES (?, 0, ?, ?)');
  let sequence = 0;
  return {
    insert: (event: DeviceEvent): number => {
      sequence++;
      const { crc, body } = toRow({ ...event, sequence });
      const start = performance.now();
      insert.run(sequence, crc, body);
      return performance.now() - start;
    },
    close: () => database.close(),
  };
};

/** Somebody comes in: every second by PIN, the others by card. Milliseconds from the input to the relay's command. */
const comeIn = (device: Device, moved: () => number, number: number): number => {
  if (number % 2 === 0) device.keypad.press(pinOf(number).slice(0, -1));
  const start = performance.now();
  if (number % 2 === 0) device.keypad.press(pinOf(number).slice(-1));
  else device.reader.tap(uidOf(number));
  const took = moved() - start;
  if (!(took > 0)) throw new Error(`the door did not open for member ${number}`);
  return took;
};

const tapTimes = async (folder: string) => {
  const written: DeviceEvent[] = [];
  const begin = performance.now();
  const device = createSimulatedController({
    dataDir: folder,
    log: () => undefined,
    recorded: event => void written.push(event),
  });
  const ready_s = (performance.now() - begin) / 1_000;
  let movedAt = 0;
  device.outputs.onChange(({ output, on }) => {
    if (on && output === 'strike-0') movedAt = performance.now();
  });
  const bare = bareInserts(folder);
  const times = { ours: [] as number[], bare: [] as number[] };
  const sides = {
    ours: (tap: number) => comeIn(device, () => movedAt, (tap * 7_919) % MEMBERS),
    bare: () => bare.insert(written.at(-1)!),
  };
  // In turns, so that a busy moment of the disk falls upon both, and each as often as the other after a pause.
  for (let tap = 0; tap < TAPS + WARM_UP; tap++) {
    const order = Math.floor(tap / RUSH) % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
    for (const side of order) {
      const took = sides[side](tap);
      if (tap >= WARM_UP) times[side].push(took);
    }
    if (tap % RUSH === RUSH - 1) await setTimeout(1_100);
  }
  bare.close();
  return { device, ready_s, times };
};

/** Key or card to yes or no: digest, lookup, permission. */
const decideTimes = (device: Device): number[] => {
  const checker = new AccessChecker({
    snapshot: () => device.controller.snapshot,
    digests: new CredentialDigests(device.digestKey),
    revocations: new RevocationLog(new MemoryState()),
    commissioning: { holderOf: () => null, extends: () => false },
    clock: device.time,
    isSnapshotValid: () => true,
    untrustedTime: 'refuse',
  });
  const destination = { kind: 'first_gadget' } as const;
  return Array.from({ length: DECISIONS }, (_, index) => {
    const number = (index * 7_919) % MEMBERS;
    const [pin, uid] = [asPinDigits(pinOf(number))!, asCardUid(uidOf(number))!];
    const start = performance.now();
    const { granted } =
      number % 2 === 0 ? checker.pin(destination, pin) : checker.tap(destination, { kind: 'card', uid });
    const took = performance.now() - start;
    if (!granted) throw new Error(`member ${number} was refused`);
    return took;
  });
};

const resident = fileURLToPath(new URL('tap-fixture/resident.ts', import.meta.url));

const residentMillion = async (folder: string): Promise<number> => {
  writeSlice(folder, all(doorEntries(), hotelGuests(MILLION)), 'weight');
  const { stdout } = await promisify(execFile)(process.execPath, [resident, folder]);
  const { members, rss } = JSON.parse(stdout) as { members: number; rss: number };
  if (members !== MILLION) throw new Error(`${members} members were loaded`);
  return rss / 2 ** 20;
};

function* all<T>(...lists: readonly Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list;
}

const inFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-tap-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const run = async (): Promise<Measurement> => {
  const tapped = await inFolder(async folder => {
    const digests = new CredentialDigests(new DigestKeyFile(join(folder, 'digest.key')).read());
    writeSlice(folder, all(doorEntries(), keyholders(MEMBERS, digests)), digests.keyId);
    const { device, ready_s, times } = await tapTimes(folder);
    decideTimes(device);
    const decided = decideTimes(device);
    await device.stop();
    return { ready_s, times, decided };
  });
  const p99_ms = percentile(tapped.times.ours, 0.99);
  return {
    figures: {
      decide_p99_us: percentile(tapped.decided, 0.99) * 1_000,
      p99_ms,
      rss_mb_1m: await inFolder(residentMillion),
      ready_100k_s: tapped.ready_s,
    },
    ratios: { durable: p99_ms / percentile(tapped.times.bare, 0.99) },
  };
};

export default { name: 'tap', run } satisfies Benchmark;
