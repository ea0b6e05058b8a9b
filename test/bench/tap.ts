import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { DigestKeyFile } from '@lintel/device-runtime/credentials/digest-key-file';
import { crc32 } from 'node:zlib';
import { DeviceCredentialDigester } from '@lintel/device-runtime/credentials/credential-digests';
import { createAccessChecker, writeSnapshot } from '@lintel/device-runtime/testing';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';
import { MemoryState } from '../support/memory-state-store.ts';
import { toPinDigits } from '@lintel/access-core/pin-digits';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { toCardUid } from '@lintel/wire-protocol/rest/card-uid';
import { type Benchmark, type Measurement, scaled } from './harness/benchmark-types-and-statistics.ts';
import { percentile } from './decide-fixture/batch-times.ts';
import { doorEntries, membersWithCredentials, pinOf, uidOf } from './tap-fixture/door-snapshot.ts';
import { measureManyMembers, measureTwoCredentials } from './tap-fixture/measure-million-members.ts';

const MEMBERS = scaled(100_000, 1_000);
const MILLION = scaled(1_000_000);
const TAPS = scaled(5_000);
const WARM_UP = scaled(1_000);
/** Taps between pauses. The controller runs its deferred tasks in a pause. */
const TAPS_BETWEEN_PAUSES = 250;
const DECISIONS = scaled(50_000);

type Device = ReturnType<typeof createSimulatedController>;

/** Inserts and flushes the same rows without the firmware. */
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
      const body = JSON.stringify({ ...event, sequence });
      const crc = crc32(body);
      const start = performance.now();
      insert.run(sequence, crc, body);
      return performance.now() - start;
    },
    close: () => database.close(),
  };
};

/** Presents a PIN (even numbers) or a card. Returns the milliseconds until the relay command. */
const openWithCredential = (device: Device, unlockedAt: () => number, number: number): number => {
  if (number % 2 === 0) device.keypad.press(pinOf(number).slice(0, -1));
  const start = performance.now();
  if (number % 2 === 0) device.keypad.press(pinOf(number).slice(-1));
  else device.reader.tap(uidOf(number));
  const took = unlockedAt() - start;
  if (!(took > 0)) throw new Error(`The door did not open for member ${number}`);
  return took;
};

const tapTimes = async (folder: string) => {
  const written: DeviceEvent[] = [];
  const begin = performance.now();
  const device = createSimulatedController({
    dataDir: folder,
    log: () => undefined,
    onEventRecorded: event => void written.push(event),
  });
  const ready_s = (performance.now() - begin) / 1_000;
  let unlockedAt = 0;
  device.outputs.onChange(({ output, on }) => {
    if (on && output === 'strike-0') unlockedAt = performance.now();
  });
  const bare = bareInserts(folder);
  const times = { ours: [] as number[], bare: [] as number[] };
  const sides = {
    ours: (tap: number) => openWithCredential(device, () => unlockedAt, (tap * 7_919) % MEMBERS),
    bare: () => bare.insert(written.at(-1)!),
  };
  // Alternately, so that other load on the disk affects both. Each side is first after every second pause.
  for (let tap = 0; tap < TAPS + WARM_UP; tap++) {
    const order =
      Math.floor(tap / TAPS_BETWEEN_PAUSES) % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
    for (const side of order) {
      const took = sides[side](tap);
      if (tap >= WARM_UP) times[side].push(took);
    }
    if (tap % TAPS_BETWEEN_PAUSES === TAPS_BETWEEN_PAUSES - 1) await setTimeout(1_100);
  }
  bare.close();
  return { device, ready_s, times };
};

/** The duration of decisions: digest, lookup and permission. */
const decideTimes = (device: Device): number[] => {
  const checker = createAccessChecker(device, new MemoryState());
  const destination = { kind: 'first_gadget' } as const;
  return Array.from({ length: DECISIONS }, (_, index) => {
    const number = (index * 7_919) % MEMBERS;
    const [pin, uid] = [toPinDigits(pinOf(number))!, toCardUid(uidOf(number))!];
    const start = performance.now();
    const { granted } =
      number % 2 === 0 ? checker.checkPin(destination, pin) : checker.checkTap(destination, { kind: 'card', uid });
    const took = performance.now() - start;
    if (!granted) throw new Error(`Member ${number} was denied`);
    return took;
  });
};

function* concat<T>(...lists: readonly Iterable<T>[]): Generator<T> {
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
    const digests = new DeviceCredentialDigester(new DigestKeyFile(join(folder, 'digest.key')).read());
    writeSnapshot(folder, concat(doorEntries(), membersWithCredentials(MEMBERS, digests)));
    const { device, ready_s, times } = await tapTimes(folder);
    decideTimes(device);
    const decided = decideTimes(device);
    await device.stop();
    return { ready_s, times, decided };
  });
  const p99_ms = percentile(tapped.times.ours, 0.99);
  const million = await inFolder(folder => measureManyMembers(folder, MILLION));
  return {
    figures: {
      decide_p99_us: percentile(tapped.decided, 0.99) * 1_000,
      p99_ms,
      rss_mb_1m: million.rss_mb,
      rss_mb_2m_credentials: await inFolder(folder => measureTwoCredentials(folder, MILLION)),
      ready_100k_s: tapped.ready_s,
      ready_million_s: million.ready_s,
    },
    ratios: {
      durable: p99_ms / percentile(tapped.times.bare, 0.99),
      start_million_time: million.ready_s / million.bare_s,
    },
  };
};

export default { name: 'tap', smallerIsBetter: ['durable'], run } satisfies Benchmark;
