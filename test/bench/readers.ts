import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DigestKeyFile } from '@lintel/device-runtime/adapters/digest-key/key-file';
import { CredentialDigests } from '@lintel/device-runtime/app/credential-digests';
import type { Benchmark, Measurement } from './benchmark.ts';
import { percentile } from './decide-fixture/batch-times.ts';
import { startMeter } from './readers-fixture/meter.ts';
import { doorEntries, keyholders, writeSlice } from './tap-fixture/door-slice.ts';

const MEMBERS = 10_000;
const BLOCKS = 40;
const TAPS_PER_BLOCK = 100;
const WARM_UP = 20;
/** Not counted: the firmware's code is compiled while it runs, the disk's and the log's first blocks are laid down. */
const WARM_UP_BLOCKS = 5;

type Ends = Pick<Awaited<ReturnType<typeof startMeter>>, 'reader' | 'relay'>;

const tagOf = (number: number): string => number.toString(16).padStart(10, '0');

/** What a reader of 125 kHz tags sends. */
const frameOf = (number: number): Buffer => {
  const tag = Buffer.from(tagOf(number), 'hex');
  const sum = tag.reduce((all, byte) => all ^ byte, 0);
  return Buffer.from(`\x02${tag.toString('hex')}${sum.toString(16).padStart(2, '0')}\x03`.toUpperCase());
};

const start = async (command: string, args: readonly string[]) => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
};

/** What stands between two lines of its own, and how long it takes from the one to the other. */
const startBetween = async (command: string, args: (ends: Ends) => readonly string[]) => {
  const meter = await startMeter();
  const end = await start(command, args(meter));
  return {
    times: meter.times,
    end: async (): Promise<void> => {
      await end();
      await meter.stop();
    },
  };
};

const fixture = (name: string): string => fileURLToPath(new URL(`readers-fixture/${name}`, import.meta.url));

const keepAwake = () => start('python3', ['-I', fixture('awake.py')]);

/** Nothing of ours between the lines: what the terminals and the switching of processes cost. */
const startEcho = () => startBetween('python3', ({ reader, relay }) => ['-I', fixture('echo.py'), reader, relay]);

/** The same with one row flushed to the disk in between: what the disk costs by itself. */
const startFlushedEcho = (file: string) =>
  startBetween('python3', ({ reader, relay }) => ['-I', fixture('echo.py'), reader, relay, file]);

/** The whole firmware between them, its events flushed to the disk before the relay moves. */
const startFirmware = (dataDir: string) =>
  startBetween(process.execPath, ({ reader, relay }) => [fixture('firmware.ts'), reader, relay, dataDir]);

const measure = async (folder: string) => {
  const times = { ours: [] as number[], echo: [] as number[], flushed: [] as number[] };
  // Only every second member has a card. Nobody comes twice in a row: that would be one tap.
  const visitors = (block: number): Buffer[] =>
    Array.from({ length: WARM_UP + TAPS_PER_BLOCK }, (_, tap) => {
      const visit = block * (WARM_UP + TAPS_PER_BLOCK) + tap;
      return frameOf(1 + 2 * ((visit * 97) % (MEMBERS / 2)));
    });
  const letSleep = await keepAwake();
  const echo = await startEcho();
  const flushed = await startFlushedEcho(join(folder, 'bare.db'));
  const firmware = await startFirmware(folder);
  try {
    // In turns, so that a busy moment of the machine falls upon all.
    for (let block = 0; block < WARM_UP_BLOCKS + BLOCKS; block++) {
      const from = block < WARM_UP_BLOCKS ? Number.POSITIVE_INFINITY : WARM_UP;
      times.echo.push(...(await echo.times(visitors(block))).slice(from));
      times.flushed.push(...(await flushed.times(visitors(block))).slice(from));
      times.ours.push(...(await firmware.times(visitors(block))).slice(from));
    }
  } finally {
    await Promise.all([echo.end(), flushed.end(), firmware.end(), letSleep()]);
  }
  return times;
};

const run = async (): Promise<Measurement> => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-readers-'));
  try {
    const digests = new CredentialDigests(new DigestKeyFile(join(folder, 'digest.key')).read());
    const members = keyholders(MEMBERS, digests, number => `0000${tagOf(number)}`);
    writeSlice(folder, [...doorEntries(), ...members], digests.keyId);
    const { ours, echo, flushed } = await measure(folder);
    const [p99, bare] = [percentile(ours, 0.99), percentile(echo, 0.99)];
    const figures = {
      added_p99_ms: p99 - bare,
      added_p50_ms: percentile(ours, 0.5) - percentile(echo, 0.5),
      p99_ms: p99,
      echo_p99_ms: bare,
      flushed_echo_p99_ms: percentile(flushed, 0.99),
    };
    return { figures, ratios: { echo: p99 / bare } };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

export default { name: 'readers', run } satisfies Benchmark;
