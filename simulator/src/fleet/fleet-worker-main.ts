import { FleetWorker } from './fleet-worker.ts';
import type { FleetProcessResponse, FleetProcessRequest } from './fleet-process-messages.ts';
import { FleetKeyFile } from './fleet-key-file.ts';

/** A child process with a part of the fleet. In one process, signatures would take longer than the bridge. */

const GOODBYE_MS = 2000;

let worker: FleetWorker | null = null;

const createWorker = ({ keys, ids, broker }: Extract<FleetProcessRequest, { type: 'assemble' }>): FleetWorker => {
  const { enrollment, devices } = new FleetKeyFile(keys).read();
  if (enrollment === null) throw new Error(`Not a key file of a fleet: ${keys}`);
  return new FleetWorker({ enrollment, devices: ids.flatMap(id => devices.get(id) ?? []), broker });
};

const handle = (request: FleetProcessRequest): FleetProcessResponse => {
  if (request.type === 'assemble') worker = createWorker(request);
  else if (request.type === 'connect') void worker?.connect();
  else if (request.type === 'disconnect') worker?.disconnect();
  else if (request.type === 'tap') worker?.startTaps(request.mode);
  else if (request.type === 'rest') worker?.stopTaps();
  else if (request.type === 'stop') {
    worker?.stop();
    setTimeout(() => process.exit(0), GOODBYE_MS).unref();
    process.disconnect();
  }
  return { metrics: request.type === 'report' ? (worker?.snapshot() ?? null) : null };
};

process.on('message', (request: FleetProcessRequest) => {
  let response: FleetProcessResponse;
  try {
    response = handle(request);
  } catch (error) {
    response = { failed: (error as Error).message };
  }
  if (process.connected) process.send!(response);
});
// The parent process decides when this process ends.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => {
  worker?.stop();
  setTimeout(() => process.exit(0), GOODBYE_MS).unref();
});
