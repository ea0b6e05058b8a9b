import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DigestKeyFile } from '@lintel/device-runtime/credentials/digest-key-file';
import { DeviceCredentialDigester } from '@lintel/device-runtime/credentials/credential-digests';
import { type Benchmark, type Measurement, scaled } from './harness/benchmark-types-and-statistics.ts';
import { percentile } from './decide-fixture/batch-times.ts';
import { startLatencyMeter } from './readers-fixture/start-latency-meter.ts';
import { doorEntries, membersWithCredentials, writeSnapshot } from './tap-fixture/door-snapshot.ts';

const MEMBERS = 10_000;
const WARM_UP_BLOCKS = scaled(9);
const BLOCKS_AWAKE = scaled(45);
const BLOCKS_ASLEEP = scaled(18);
const TAPS_PER_BLOCK = 100;
const WARM_UP = 20;

type Terminals = Pick<Awaited<ReturnType<typeof startLatencyMeter>>, 'reader' | 'relay'>;

const tagOf = (number: number): string => number.toString(16).padStart(10, '0');

/** The frame that a 125 kHz reader sends for a tag. */
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

/** Starts a program between a reader line and a relay line, with a latency meter. */
const startWithMeter = async (command: string, args: (terminals: Terminals) => readonly string[]) => {
  const meter = await startLatencyMeter();
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

const withCpusAwake = async <T>(work: () => Promise<T>): Promise<T> => {
  const stopKeepingAwake = await start('python3', ['-I', fixture('keep-cpus-awake.py')]);
  try {
    return await work();
  } finally {
    await stopKeepingAwake();
  }
};

/** Only forwards bytes: the cost of the terminals and of process switches. */
const startEcho = () =>
  startWithMeter('python3', ({ reader, relay }) => ['-I', fixture('serial-echo.py'), reader, relay]);

/** Also writes one row to the disk and flushes it: the cost of the disk. */
const startFlushedEcho = (file: string) =>
  startWithMeter('python3', ({ reader, relay }) => ['-I', fixture('serial-echo.py'), reader, relay, file]);

/** The complete firmware, which flushes its event to the disk before the relay switches. */
const startFirmware = (dataDir: string) =>
  startWithMeter(process.execPath, ({ reader, relay }) => [fixture('controller-process.ts'), reader, relay, dataDir]);

// Only every second member has a card. No card is presented twice in a row, because that would be one tap.
const tagFrames = (block: number): Buffer[] =>
  Array.from({ length: WARM_UP + TAPS_PER_BLOCK }, (_, tap) => {
    const sequence = block * (WARM_UP + TAPS_PER_BLOCK) + tap;
    return frameOf(1 + 2 * ((sequence * 97) % (MEMBERS / 2)));
  });

type Candidates = Readonly<Record<'ours' | 'echo' | 'flushed', Awaited<ReturnType<typeof startWithMeter>>>>;
type Times = Record<keyof Candidates, number[]>;

/**
 * Measures with the CPUs kept awake, and without. The host of a virtual machine uses a sleeping CPU for other work, and the
 * same instructions take more than twice as long after it wakes up.
 */
const measure = async (folder: string): Promise<Record<'awake' | 'asleep', Times>> => {
  const echo = await startEcho();
  const flushed = await startFlushedEcho(join(folder, 'bare.db'));
  const ours = await startFirmware(folder);
  const candidates: Candidates = { echo, flushed, ours };
  let block = 0;
  // Alternately, so that other load on the machine affects all.
  const timesOf = async (blocks: number): Promise<Times> => {
    const times: Times = { ours: [], echo: [], flushed: [] };
    for (const end = block + blocks; block < end; block++)
      for (const name of ['echo', 'flushed', 'ours'] as const)
        times[name].push(...(await candidates[name].times(tagFrames(block))).slice(WARM_UP));
    return times;
  };
  try {
    const awake = await withCpusAwake(async () => {
      // Warm-up: compiles the code of the firmware and allocates the first disk blocks.
      await timesOf(WARM_UP_BLOCKS);
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
    const digests = new DeviceCredentialDigester(new DigestKeyFile(join(folder, 'digest.key')).read());
    const members = membersWithCredentials(MEMBERS, digests, number => `0000${tagOf(number)}`);
    writeSnapshot(folder, [...doorEntries(), ...members]);
    const { awake, asleep } = await measure(folder);
    const { added_p99_ms, added_p50_ms, flushed_echo_p99_ms, echo_p99_ms } = figuresOf(asleep);
    const figures = {
      ...figuresOf(awake),
      asleep_added_p99_ms: added_p99_ms,
      asleep_added_p50_ms: added_p50_ms,
      asleep_flushed_added_p99_ms: flushed_echo_p99_ms - echo_p99_ms,
    };
    return {
      figures,
      ratios: {
        echo: figures.p99_ms / figures.echo_p99_ms,
        flushed_echo: figures.p99_ms / figures.flushed_echo_p99_ms,
      },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

export default { name: 'readers', smallerIsBetter: ['echo', 'flushed_echo'], run } satisfies Benchmark;
