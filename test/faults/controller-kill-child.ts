import { writeSync } from 'node:fs';
import { createSimulatedController } from '@lintel/device-runtime/main';

/* A door that never rests. It says on stdout when the relay has moved, and is killed at some point. */

const [folder, uid] = process.argv.slice(2);
const device = createSimulatedController({ dataDir: folder!, log: () => undefined });
let granted = 0;
device.outputs.onChange(({ output, on }) => {
  // Straight to the pipe: what was said is said, whatever happens to the process.
  if (on && output === 'strike-0') writeSync(1, `${++granted}\n`);
});
writeSync(1, 'ready\n');
setInterval(() => {
  for (let tap = 0; tap < 5; tap++) device.reader.tap(uid!);
}, 1);
