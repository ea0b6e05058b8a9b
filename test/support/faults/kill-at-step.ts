import { watchDiskSteps } from './disk-steps.ts';

/* Preloaded: kills its process right before the Nth step on the disk below a directory. */

const killAt = Number(process.env['LINTEL_KILL_AT']);
let count = 0;
watchDiskSteps(process.env['LINTEL_KILL_BELOW']!, () => {
  count += 1;
  if (count === killAt) process.kill(process.pid, 'SIGKILL');
});
