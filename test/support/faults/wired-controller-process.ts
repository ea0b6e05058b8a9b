import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { createController } from '@lintel/device-runtime/main';
import { openHardware } from '@lintel/device-runtime/hardware';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';

/* A controller with the parts of a profile. Each line on stdin opens its door; prints the result. */

const [dataDir, profileFile] = process.argv.slice(2);
const profile = loadProfile(profileFile!);
const log = () => undefined;
const parts = await openHardware(profile, { log, clock: new ProcessClock(), dataDir: dataDir! });
const { controller } = createController({ ...parts, dataDir: dataDir!, log });
createInterface({ input: process.stdin }).on('line', () => {
  const action = { gadget_id: 'gad_door' as never, gadget_action_id: 'open', subject: null };
  writeSync(1, `${controller.execute(action).outcome}\n`);
});
writeSync(1, 'ready\n');
flushCompileCache();
