import { FleetCrew } from './fleet-crew.ts';
import type { FleetAnswer, FleetOrder } from './fleet-orders.ts';
import { FleetKeyFile } from './key-file.ts';

/** A share of the fleet in a process of its own: one alone would be busier with signatures than the bridge. */

const GOODBYE_MS = 2000;

let crew: FleetCrew | null = null;

const assembled = ({ keys, ids, broker }: Extract<FleetOrder, { type: 'assemble' }>): FleetCrew => {
  const { home, members } = new FleetKeyFile(keys).read();
  if (home === null) throw new Error(`${keys} is of no fleet`);
  return new FleetCrew({ home, members: ids.flatMap(id => members.get(id) ?? []), broker });
};

const obey = (order: FleetOrder): FleetAnswer => {
  if (order.type === 'assemble') crew = assembled(order);
  else if (order.type === 'connect') void crew?.connect();
  else if (order.type === 'tap') crew?.startTaps(order.order);
  else if (order.type === 'rest') crew?.stopTaps();
  else if (order.type === 'stop') {
    crew?.stop();
    setTimeout(() => process.exit(0), GOODBYE_MS).unref();
    process.disconnect();
  }
  return { tally: order.type === 'report' ? (crew?.told() ?? null) : null };
};

process.on('message', (order: FleetOrder) => {
  let answer: FleetAnswer;
  try {
    answer = obey(order);
  } catch (error) {
    answer = { failed: (error as Error).message };
  }
  if (process.connected) process.send!(answer);
});
// Whoever started it decides when it ends; without it there is nothing to do.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => {
  crew?.stop();
  setTimeout(() => process.exit(0), GOODBYE_MS).unref();
});
