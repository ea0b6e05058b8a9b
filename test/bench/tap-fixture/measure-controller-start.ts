import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';

/* Prints the time from the start of the process until the doors of a data folder work. */

const device = createSimulatedController({
  dataDir: process.argv[2]!,
  log: () => undefined,
  snapshotStoreOptions: { fewestIndexedMembers: 1 },
});
const ready_s = performance.now() / 1_000;
process.stdout.write(JSON.stringify({ members: device.controller.snapshot.index.memberCount, ready_s }));
await device.stop();
