import { setTimeout as delay } from 'node:timers/promises';
import { createBridge } from '@lintel/cloud-bridge/main';
import { FaultProxy } from '@lintel/simulator/testing';

/*
 * Starts a bridge again and again, and cuts its connections to PostgreSQL at a later message each time. Prints what is
 * left of each attempt. In a process of its own, because what keeps a process running is counted for the whole process.
 */

export interface StartDuringOutage {
  /** Messages between the bridge and its database before the outage. */
  readonly messages: number;
  /** Timers, servers and threads that would keep the process running. */
  readonly left: readonly string[];
}

const POLL_MS = 5;

const [dataDir, databaseUrl, step] = process.argv.slice(2) as [string, string, string];

/** What keeps the process running, once the sockets are closed. */
const listActiveResources = async (): Promise<readonly string[]> => {
  while (process.getActiveResourcesInfo().includes('TCPSocketWrap')) await delay(POLL_MS);
  return process.getActiveResourcesInfo().toSorted();
};

const database = new URL(databaseUrl);
let messages = 0;
let messagesUntilOutage = Number.POSITIVE_INFINITY;
const proxy = await FaultProxy.open({
  onChange: () => undefined,
  watch: () => () => {
    messages += 1;
    if (messages > messagesUntilOutage) proxy.switchTo('cut');
  },
});
proxy.target = Number(database.port);
database.port = String(proxy.port);
const start = () => createBridge({ dataDir, database: String(database), logger: false });

await (await start()).close();
messages = 0;
await (await start()).close();
const messagesOfStart = messages;
const before = await listActiveResources();
const starts: StartDuringOutage[] = [];
for (messagesUntilOutage = 0; messagesUntilOutage < messagesOfStart; messagesUntilOutage += Number(step)) {
  messages = 0;
  proxy.switchTo('up');
  const bridge = await start().catch(() => null);
  await bridge?.close();
  const left = [...(await listActiveResources())];
  for (const kind of before) if (left.includes(kind)) left.splice(left.indexOf(kind), 1);
  starts.push({ messages: messagesUntilOutage, left });
}
await proxy.close();
process.stdout.write(JSON.stringify(starts));
