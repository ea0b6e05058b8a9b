import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ProcessClock } from '@lintel/device-runtime/adapters/clock/process-clock';
import { DigestKeyFile } from '@lintel/device-runtime/adapters/digest-key/key-file';
import { Rdm6300Reader } from '@lintel/device-runtime/adapters/rdm6300/rdm6300-reader';
import { ReopeningSerialLine } from '@lintel/device-runtime/adapters/serial-line/serial-line';
import { SimulatedInputs } from '@lintel/device-runtime/adapters/simulated/simulated-inputs';
import { simulatedWiring } from '@lintel/device-runtime/adapters/simulated/simulated-wiring';
import { LcusRelay } from '@lintel/device-runtime/adapters/usb-relay/lcus-relay';
import { CredentialDigests } from '@lintel/device-runtime/app/credential-digests';
import { createController } from '@lintel/device-runtime/main';
import type { Benchmark, Measurement } from './benchmark.ts';
import { percentile } from './decide-fixture/batch-times.ts';
import { startMeter } from './readers-fixture/meter.ts';
import { doorEntries, keyholders, writeSlice } from './tap-fixture/door-slice.ts';

const MEMBERS = 10_000;
const BLOCKS = 10;
const TAPS_PER_BLOCK = 100;
const WARM_UP = 20;
const BAUD_RATE = 9_600;

type Ends = Pick<Awaited<ReturnType<typeof startMeter>>, 'reader' | 'relay'>;

const tagOf = (number: number): string => number.toString(16).padStart(10, '0');

/** What a reader of 125 kHz tags sends. */
const frameOf = (number: number): Buffer => {
  const tag = Buffer.from(tagOf(number), 'hex');
  const sum = tag.reduce((all, byte) => all ^ byte, 0);
  return Buffer.from(`\x02${tag.toString('hex')}${sum.toString(16).padStart(2, '0')}\x03`.toUpperCase());
};

const echoProgram = fileURLToPath(new URL('readers-fixture/echo.py', import.meta.url));

/** The two lines with nothing of ours between them: what the terminals and the switching of processes cost. */
const openEcho = async ({ reader, relay }: Ends): Promise<() => Promise<void>> => {
  const echo = spawn('python3', ['-I', echoProgram, reader, relay], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(echo.stdout, 'data');
  return async () => {
    echo.kill();
    await once(echo, 'exit');
  };
};

/** The whole firmware between the same two lines, its events flushed to the disk before the relay moves. */
const openFirmware = async ({ reader, relay }: Ends, dataDir: string): Promise<() => Promise<void>> => {
  const clock = new ProcessClock();
  const tagLine = new ReopeningSerialLine({ path: reader, baud_rate: BAUD_RATE });
  const cards = new Rdm6300Reader({ line: tagLine, clock });
  const line = new ReopeningSerialLine({ path: relay, baud_rate: BAUD_RATE });
  const outputs = new LcusRelay({ line, clock, outputs: { 'strike-0': 1 } });
  const wiring = simulatedWiring({ keypad: null, reader: cards });
  const noLights = { green: null, red: null, buzzer: null };
  const stations = wiring.stations.map(station => ({ ...station, indicator: noLights }));
  const inputs = new SimulatedInputs();
  const running = createController({ dataDir, wiring: { ...wiring, stations }, outputs, inputs, log: () => undefined });
  // Done when both are open: a terminal loses what came before.
  await Promise.all([tagLine.write(new Uint8Array()), line.write(new Uint8Array())]);
  return async () => {
    await running.stop();
    await Promise.all([cards.close(), outputs.close()]);
  };
};

const measure = async (folder: string) => {
  const meter = await startMeter();
  const times = { ours: [] as number[], echo: [] as number[] };
  // Only every second member has a card. Nobody comes twice in a row: that would be one tap.
  const visitors = (block: number): Buffer[] =>
    Array.from({ length: WARM_UP + TAPS_PER_BLOCK }, (_, tap) => {
      const visit = block * (WARM_UP + TAPS_PER_BLOCK) + tap;
      return frameOf(1 + 2 * ((visit * 97) % (MEMBERS / 2)));
    });
  try {
    // In turns, so that a busy moment of the machine falls upon both.
    for (let block = 0; block < BLOCKS; block++) {
      const closeEcho = await openEcho(meter);
      times.echo.push(...(await meter.times(visitors(block))).slice(WARM_UP));
      await closeEcho();
      const closeFirmware = await openFirmware(meter, folder);
      times.ours.push(...(await meter.times(visitors(block))).slice(WARM_UP));
      await closeFirmware();
    }
  } finally {
    await meter.stop();
  }
  return times;
};

const run = async (): Promise<Measurement> => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-readers-'));
  try {
    const digests = new CredentialDigests(new DigestKeyFile(join(folder, 'digest.key')).read());
    const members = keyholders(MEMBERS, digests, number => `0000${tagOf(number)}`);
    writeSlice(folder, [...doorEntries(), ...members], digests.keyId);
    const { ours, echo } = await measure(folder);
    const [p99, bare] = [percentile(ours, 0.99), percentile(echo, 0.99)];
    return { figures: { added_p99_ms: p99 - bare, p99_ms: p99, echo_p99_ms: bare }, ratios: { echo: p99 / bare } };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

export default { name: 'readers', run } satisfies Benchmark;
