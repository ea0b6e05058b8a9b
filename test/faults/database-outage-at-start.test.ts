import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBridge } from '@lintel/cloud-bridge/main';
import { FaultProxy } from '../../simulator/src/links/fault-proxy.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newTestDatabase } from '../support/bridge/postgres.ts';
import { iterations } from '../support/test-iterations-and-seed.ts';

/** Timers, servers and threads that keep a process running, once the sockets are closed. */
const countActiveResources = async (): Promise<Record<string, number>> => {
  const listKinds = (): readonly string[] => process.getActiveResourcesInfo();
  await expect.poll(() => listKinds().includes('TCPSocketWrap')).toBe(false);
  const counts: Record<string, number> = {};
  for (const kind of listKinds()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

describe('A bridge whose database fails while it starts', () => {
  it('closes everything, so that the process ends and is restarted', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-start-'));
    const database = new URL(await newTestDatabase());
    let messages = 0;
    let messagesUntilOutage = Number.POSITIVE_INFINITY;
    const proxy = await FaultProxy.open({
      onChange: () => undefined,
      watch: () => () => {
        messages += 1;
        if (messages > messagesUntilOutage) proxy.switchTo('cut');
      },
    });
    onTestFinished(async () => {
      await proxy.close();
      rmSync(dataDir, { recursive: true });
    });
    proxy.target = Number(database.port);
    database.port = String(proxy.port);
    const start = () => createBridge({ dataDir, database: String(database), logger: false });
    await (await start()).close();
    messages = 0;
    await (await start()).close();
    const messagesOfStart = messages;
    const before = await countActiveResources();
    const step = iterations({ sample: 6, all: 1 });
    for (messagesUntilOutage = 0; messagesUntilOutage < messagesOfStart; messagesUntilOutage += step) {
      messages = 0;
      proxy.switchTo('up');
      const bridge = await start().catch(() => null);
      await bridge?.close();
      expect([messagesUntilOutage, await countActiveResources()]).toEqual([messagesUntilOutage, before]);
    }
  });
});
