import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CONNECTING_AT_ONCE } from '../../../simulator/src/fleet/fleet-crew.ts';
import { MOST_IN_PROCESS } from '../../../simulator/src/fleet/fleet-processes.ts';
import type { BareOrder } from './bare-clients-server.ts';

const started = (file: string): ChildProcess => fork(join(import.meta.dirname, file));

const answerOf = async <T>(child: ChildProcess): Promise<T> => ((await once(child, 'message')) as [T])[0];

/** How long a connect storm takes against bare aedes, from as many processes as the fleet has, in seconds. */
export const bareStorm = async (ids: readonly string[]): Promise<number> => {
  const broker = started('bare-broker-server.ts');
  const port = await answerOf<number>(broker);
  const count = Math.max(1, Math.ceil(ids.length / MOST_IN_PROCESS));
  const clients = Array.from({ length: count }, () => started('bare-clients-server.ts'));
  const times = await Promise.all(
    clients.map((child, index) => {
      const own = ids.filter((_, at) => at % count === index);
      child.send({ port, ids: own, atOnce: CONNECTING_AT_ONCE } satisfies BareOrder);
      return answerOf<{ start: number; end: number }>(child);
    }),
  );
  for (const child of [broker, ...clients]) child.disconnect();
  await Promise.all([broker, ...clients].map(child => once(child, 'exit')));
  return (Math.max(...times.map(({ end }) => end)) - Math.min(...times.map(({ start }) => start))) / 1000;
};
