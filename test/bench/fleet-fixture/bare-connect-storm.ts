import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { MAX_CONCURRENT_CONNECTS, MAX_CONTROLLERS_PER_PROCESS } from '@lintel/simulator/testing';
import type { BareClientsSettings } from './bare-mqtt-clients-process.ts';

const startProcess = (file: string): ChildProcess => fork(join(import.meta.dirname, file));

const nextMessage = async <T>(child: ChildProcess): Promise<T> => ((await once(child, 'message')) as [T])[0];

/** Measures a connect storm against bare aedes, with as many processes as the fleet, in seconds. */
export const measureBareConnectStorm = async (ids: readonly string[]): Promise<number> => {
  const broker = startProcess('bare-aedes-server.ts');
  const port = await nextMessage<number>(broker);
  const count = Math.max(1, Math.ceil(ids.length / MAX_CONTROLLERS_PER_PROCESS));
  const clients = Array.from({ length: count }, () => startProcess('bare-mqtt-clients-process.ts'));
  const times = await Promise.all(
    clients.map((child, index) => {
      const assigned = ids.filter((_, at) => at % count === index);
      child.send({ port, ids: assigned, maxConcurrent: MAX_CONCURRENT_CONNECTS } satisfies BareClientsSettings);
      return nextMessage<{ start: number; end: number }>(child);
    }),
  );
  for (const child of [broker, ...clients]) child.disconnect();
  await Promise.all([broker, ...clients].map(child => once(child, 'exit')));
  return (Math.max(...times.map(({ end }) => end)) - Math.min(...times.map(({ start }) => start))) / 1000;
};
