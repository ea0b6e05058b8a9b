import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DigestKeyFile } from '@lintel/device-runtime/credentials/digest-key-file';
import { CredentialDigests } from '@lintel/device-runtime/credentials/credential-digests';
import type { Benchmark, Measurement } from './benchmark.ts';
import { percentile } from './decide-fixture/batch-times.ts';
import { startMeter } from './readers-fixture/meter.ts';
import { doorEntries, keyholders, writeSlice } from './tap-fixture/door-slice.ts';

const MEMBERS = 10_000;
const BLOCKS_TO_COMPILE = 9;
const BLOCKS_AWAKE = 45;
const BLOCKS_ASLEEP = 18;
const TAPS_PER_BLOCK = 100;
const WARM_UP = 20;

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

const whileAwake = async <T>(work: () => Promise<T>): Promise<T> => {
  const letSleep = await start('python3', ['-I', fixture('awake.py')]);
  try {
    return await work();
  } finally {
    await letSleep();
  }
};

/** Nothing of ours between the lines: what the terminals and the switching of processes cost. */
const startEcho = () => startBetween('python3', ({ reader, relay }) => ['-I', fixture('echo.py'), reader, relay]);

/** The same with one row flushed to the disk in between: what the disk costs by itself. */
const startFlushedEcho = (file: string) =>
  startBetween('python3', ({ reader, relay }) => ['-I', fixture('echo.py'), reader, relay, file]);

/** The whole firmware between them, its events flushed to the disk before the relay moves. */
const startFirmware = (dataDir: string) =>
  startBetween(process.execPath, ({ reader, relay }) => [fixture('firmware.ts'), reader, relay, dataDir]);

// Only every second member has a card. Nobody comes twice in a row: that would be one tap.
const visitors = (block: number): Buffer[] =>
  Array.from({ length: WARM_UP + TAPS_PER_BLOCK }, (_, tap) => {
    const visit = block * (WARM_UP + TAPS_PER_BLOCK) + tap;
    return frameOf(1 + 2 * ((visit * 97) % (MEMBERS / 2)));
  });

type Contestants = Readonly<Record<'ours' | 'echo' | 'flushed', Awaited<ReturnType<typeof startBetween>>>>;
type Times = Record<keyof Contestants, number[]>;

/**
 * Twice: with the processors kept awake, and left to themselves. A virtual machine's processor that sleeps is somebody
 * else's until it is woken, and the same instructions take more than twice as long afterwards.
 */
const measure = async (folder: string): Promise<Record<'awake' | 'asleep', Times>> => {
  const echo = await startEcho();
  const flushed = await startFlushedEcho(join(folder, 'bare.db'));
  const ours = await startFirmware(folder);
  const contestants: Contestants = { echo, flushed, ours };
  let block = 0;
  // In turns, so that a busy moment of the machine falls upon all.
  const timesOf = async (blocks: number): Promise<Times> => {
    const times: Times = { ours: [], echo: [], flushed: [] };
    for (const end = block + blocks; block < end; block++)
      for (const name of ['echo', 'flushed', 'ours'] as const)
        times[name].push(...(await contestants[name].times(visitors(block))).slice(WARM_UP));
    return times;
  };
  try {
    const awake = await whileAwake(async () => {
      // Not counted: in it the firmware's code is compiled, and the first blocks of the disk are laid down.
      await timesOf(BLOCKS_TO_COMPILE);
      return timesOf(BLOCKS_AWAKE);
    });
    return { awake, asleep: await timesOf(BLOCKS_ASLEEP) };
  } finally {
    await Promise.all([echo.end(), flushed.end(), ours.end()]);
  }
};

const figuresOf = ({ ours, echo, flushed }: Times) => ({
  added_p99_ms: percentile(ours, 0.99) - percentile(echo, 0.99),
  added_p50_ms: percentile(ours, 0.5) - percentile(echo, 0.5),
  p99_ms: percentile(ours, 0.99),
  echo_p99_ms: percentile(echo, 0.99),
  flushed_echo_p99_ms: percentile(flushed, 0.99),
});

const run = async (): Promise<Measurement> => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-readers-'));
  try {
    const digests = new CredentialDigests(new DigestKeyFile(join(folder, 'digest.key')).read());
    const members = keyholders(MEMBERS, digests, number => `0000${tagOf(number)}`);
    writeSlice(folder, [...doorEntries(), ...members], digests.keyId);
    const { awake, asleep } = await measure(folder);
    const { added_p99_ms, added_p50_ms, flushed_echo_p99_ms, echo_p99_ms } = figuresOf(asleep);
    const figures = {
      ...figuresOf(awake),
      asleep_added_p99_ms: added_p99_ms,
      asleep_added_p50_ms: added_p50_ms,
      asleep_flushed_added_p99_ms: flushed_echo_p99_ms - echo_p99_ms,
    };
    return { figures, ratios: { echo: figures.p99_ms / figures.echo_p99_ms } };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

export default { name: 'readers', run } satisfies Benchmark;
