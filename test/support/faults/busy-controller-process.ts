import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';

/* A controller whose door opens continuously. Prints the number of openings. */

const [folder, uid] = process.argv.slice(2);
const device = createSimulatedController({ dataDir: folder!, log: () => undefined });
let granted = 0;
device.outputs.onChange(({ output, on }) => {
  // Synchronous, so that the output arrives even if the process is killed next.
  if (on && output === 'strike-0') writeSync(1, `${++granted}\n`);
});
writeSync(1, 'ready\n');
flushCompileCache();
setInterval(() => {
  for (let tap = 0; tap < 5; tap++) device.reader.tap(uid!);
}, 1);
