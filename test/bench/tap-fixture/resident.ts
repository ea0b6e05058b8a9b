import { setTimeout } from 'node:timers/promises';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';

/* Prints how many bytes a controller takes with the slice of a folder, some seconds after it began to serve. */

const device = createSimulatedController({ dataDir: process.argv[2]!, log: () => undefined });
await setTimeout(3_000);
const members = device.controller.snapshot.index.memberCount;
process.stdout.write(JSON.stringify({ members, rss: process.memoryUsage.rss() }));
await device.stop();
