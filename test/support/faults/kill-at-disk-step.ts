import { watchDiskSteps } from './power-cut-at-disk-step.ts';

/* Preloaded with --import. Kills its process before the Nth disk step below a directory. */

const killAt = Number(process.env['LINTEL_KILL_AT']);
let count = 0;
watchDiskSteps(process.env['LINTEL_KILL_BELOW']!, () => {
  count += 1;
  if (count === killAt) process.kill(process.pid, 'SIGKILL');
});
