import { setTimeout } from 'node:timers/promises';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';

/* Prints the resident memory of a controller with the snapshot of a data folder, a few seconds after its start. */

const device = createSimulatedController({ dataDir: process.argv[2]!, log: () => undefined });
await setTimeout(3_000);
const members = device.controller.snapshot.index.memberCount;
process.stdout.write(JSON.stringify({ members, rss: process.memoryUsage.rss() }));
await device.stop();
