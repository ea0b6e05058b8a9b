import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSnapshot } from '@lintel/device-runtime/testing';
import { DigestKeyFile } from '@lintel/device-runtime/credentials/digest-key-file';
import { DeviceCredentialDigester } from '@lintel/device-runtime/credentials/credential-digests';
import { type Benchmark, type Measurement, scaled } from './harness/benchmark-types-and-statistics.ts';
import { percentile } from './decide-fixture/batch-times.ts';
import { withCleanup } from './harness/run-with-cleanup.ts';
import { writeNodeRedAccessData } from './readers-fixture/node-red-access-data.ts';
import { findNodeRed, installNodeRedCommand } from './readers-fixture/node-red-installation.ts';
import {
  type MeasuredProgram,
  startEcho,
  startFirmware,
  startFlushedEcho,
  startNodeRed,
  withCpusAwake,
} from './readers-fixture/start-measured-programs.ts';
import { doorEntries, membersWithCredentials } from './tap-fixture/door-snapshot.ts';

const MEMBERS = 10_000;
const WARM_UP_BLOCKS = scaled(9);
const BLOCKS_AWAKE = scaled(45);
const BLOCKS_ASLEEP = scaled(18);
const TAPS_PER_BLOCK = 100;
const WARM_UP = 20;

const tagOf = (number: number): string => number.toString(16).padStart(10, '0');
const uidOf = (number: number): string => `0000${tagOf(number)}`;

/** The frame that a 125 kHz reader sends for a tag. */
const frameOf = (number: number): Buffer => {
  const tag = Buffer.from(tagOf(number), 'hex');
  const sum = tag.reduce((all, byte) => all ^ byte, 0);
  return Buffer.from(`\x02${tag.toString('hex')}${sum.toString(16).padStart(2, '0')}\x03`.toUpperCase());
};

// Only every second member has a card. No card is presented twice in a row, because that would be one tap.
const tagFrames = (block: number): Buffer[] =>
  Array.from({ length: WARM_UP + TAPS_PER_BLOCK }, (_, tap) => {
    const sequence = block * (WARM_UP + TAPS_PER_BLOCK) + tap;
    return frameOf(1 + 2 * ((sequence * 97) % (MEMBERS / 2)));
  });

type Candidate = 'echo' | 'flushed' | 'ours' | 'nodeRed';
type Times = Readonly<Record<Candidate, number[]>>;

/**
 * Measures with the CPUs kept awake, and without. The host of a virtual machine uses a sleeping CPU for other work, and the
 * same instructions take more than twice as long after it wakes up.
 */
const measure = (folder: string, nodeRed: string | null): Promise<Record<'awake' | 'asleep', Times>> =>
  withCleanup(async defer => {
    const candidates = new Map<Candidate, MeasuredProgram>();
    const add = async (name: Candidate, starting: Promise<MeasuredProgram>): Promise<void> => {
      const program = await starting;
      defer(program.end);
      candidates.set(name, program);
    };
    await add('echo', startEcho());
    await add('flushed', startFlushedEcho(join(folder, 'bare.db')));
    await add('ours', startFirmware(folder));
    if (nodeRed !== null) await add('nodeRed', startNodeRed(nodeRed, folder));
    let block = 0;
    // Alternately, so that other load on the machine affects all.
    const timesOf = async (blocks: number): Promise<Times> => {
      const times: Times = { echo: [], flushed: [], ours: [], nodeRed: [] };
      for (const end = block + blocks; block < end; block++)
        for (const [name, program] of candidates)
          times[name].push(...(await program.times(tagFrames(block))).slice(WARM_UP));
      return times;
    };
    const awake = await withCpusAwake(async () => {
      // Warm-up: compiles the code of the firmware and of Node-RED, and allocates the first disk blocks.
      await timesOf(WARM_UP_BLOCKS);
      return timesOf(BLOCKS_AWAKE);
    });
    return { awake, asleep: await timesOf(BLOCKS_ASLEEP) };
  });

const figuresOf = ({ ours, echo, flushed }: Times) => ({
  added_p99_ms: percentile(ours, 0.99) - percentile(echo, 0.99),
  added_p50_ms: percentile(ours, 0.5) - percentile(echo, 0.5),
  p99_ms: percentile(ours, 0.99),
  echo_p99_ms: percentile(echo, 0.99),
  flushed_echo_p99_ms: percentile(flushed, 0.99),
});

/** Nothing if Node-RED was not measured. */
const compareWithNodeRed = ({ ours, nodeRed }: Times): Measurement => {
  if (nodeRed.length === 0) return { figures: {}, ratios: {} };
  const [p99_ms, p50_ms] = [percentile(nodeRed, 0.99), percentile(nodeRed, 0.5)];
  return {
    figures: { node_red_p99_ms: p99_ms, node_red_p50_ms: p50_ms },
    ratios: {
      node_red_p99_time: percentile(ours, 0.99) / p99_ms,
      node_red_p50_time: percentile(ours, 0.5) / p50_ms,
    },
  };
};

const run = (): Promise<Measurement> =>
  withCleanup(async defer => {
    const nodeRed = findNodeRed();
    if (nodeRed === null)
      process.stderr.write(
        `Without Node-RED. To measure it too: ${installNodeRedCommand}, then set LINTEL_NODE_RED=DIR\n`,
      );
    const folder = mkdtempSync(join(tmpdir(), 'lintel-readers-'));
    defer(() => rmSync(folder, { recursive: true }));
    const digests = new DeviceCredentialDigester(new DigestKeyFile(join(folder, 'digest.key')).read());
    const [door, members] = [doorEntries({ hasSchedule: true }), [...membersWithCredentials(MEMBERS, digests, uidOf)]];
    writeSnapshot(folder, [...door, ...members]);
    if (nodeRed !== null) writeNodeRedAccessData(folder, door, members, uidOf);
    const { awake, asleep } = await measure(folder, nodeRed);
    const { added_p99_ms, added_p50_ms, flushed_echo_p99_ms, echo_p99_ms } = figuresOf(asleep);
    const peer = compareWithNodeRed(awake);
    const figures = {
      ...figuresOf(awake),
      asleep_added_p99_ms: added_p99_ms,
      asleep_added_p50_ms: added_p50_ms,
      asleep_flushed_added_p99_ms: flushed_echo_p99_ms - echo_p99_ms,
      ...peer.figures,
    };
    return {
      figures,
      ratios: {
        echo: figures.p99_ms / figures.echo_p99_ms,
        flushed_echo: figures.p99_ms / figures.flushed_echo_p99_ms,
        ...peer.ratios,
      },
    };
  });

export default {
  name: 'readers',
  smallerIsBetter: ['echo', 'flushed_echo'],
  goals: { flushed_echo: 2 },
  run,
} satisfies Benchmark;
