import { setTimeout } from 'node:timers/promises';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { LcusRelay, Rdm6300Reader, ReconnectingSerialLine } from '@lintel/drivers/testing/parts';
import { SimulatedInputs } from '@lintel/simulator/virtual-hardware/simulated-inputs';
import { createSimulatedWiring } from '@lintel/simulator/virtual-hardware/simulated-wiring';
import { createController } from '@lintel/device-runtime/main';

/* A controller with a tag reader on one terminal and a relay board on another. Runs until it is killed. */

const BAUD_RATE = 9_600;

const [reader, relay, dataDir] = process.argv.slice(2) as [string, string, string];
const clock = new ProcessClock();
const tagLine = new ReconnectingSerialLine({ path: reader, baud_rate: BAUD_RATE });
const cards = new Rdm6300Reader({ line: tagLine, clock });
const line = new ReconnectingSerialLine({ path: relay, baud_rate: BAUD_RATE });
const outputs = new LcusRelay({ line, clock, outputs: { 'strike-0': 1 } });
const wiring = createSimulatedWiring({ keypad: null, reader: cards });
const noLights = { green: null, red: null, buzzer: null };
const stations = wiring.stations.map(station => ({ ...station, indicator: noLights }));
const inputs = new SimulatedInputs();
createController({
  dataDir,
  wiring: { ...wiring, stations },
  outputs,
  inputs,
  // No bridge confirms the time, and the permission has a schedule.
  untrustedTime: 'use_clock',
  log: () => undefined,
});
// Resolves when both lines are open. Bytes that arrive earlier are lost.
await Promise.all([tagLine.write(new Uint8Array()), line.write(new Uint8Array())]);
// A tag that arrives earlier counts as one that lay on the reader at startup.
await setTimeout(600);
process.stdout.write('ready\n');
