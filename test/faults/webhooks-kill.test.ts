import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { instant } from '@lintel/access-core/instant';
import { openBridgeServices } from '@lintel/cloud-bridge/open-services';
import { TestBridge, type TestOrganizationClient } from '../support/bridge/test-bridge.ts';
import { WebhookTestServer } from '../support/bridge/webhook-test-server.ts';
import { BridgeProcess } from '../support/processes/bridge-process.ts';
import { keepFailureEvidence } from '../support/faults/failure-evidence.ts';
import { iterations } from '../support/test-iterations-and-seed.ts';

const KILLS = iterations({ sample: 1, all: 10 });
const EVENTS = iterations({ sample: 60, all: 1000 });
const WRITERS = 32;

let receiver: WebhookTestServer;
let inProcess: TestBridge;
let client: TestOrganizationClient;
let bridge: BridgeProcess | null = null;
beforeEach(async () => {
  receiver = await WebhookTestServer.open();
  inProcess = await TestBridge.open({ clock: () => instant(Date.now()), webhookAllow: ['127.0.0.0/8'] });
  inProcess.now = instant(Date.now());
  client = await inProcess.newOrganization();
});
afterEach(async context => {
  await bridge?.kill();
  await receiver.close();
  keepFailureEvidence(context, { directories: [inProcess.dataDir], logs: { bridge: bridge?.log ?? '' } });
  rmSync(inProcess.dataDir, { recursive: true, force: true });
});

/** Counts, and tells when a number is reached. */
class Progress {
  #count = 0;
  readonly #waiting: { readonly goal: number; readonly reached: () => void }[] = [];

  get count(): number {
    return this.#count;
  }

  add(): void {
    this.#count += 1;
    for (const { goal, reached } of this.#waiting) if (this.#count >= goal) reached();
  }

  async reaches(goal: number): Promise<void> {
    if (this.#count >= goal) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ goal, reached: resolve });
    await promise;
  }
}

const createWebhooks = async (paths: readonly string[]): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (const path of paths) {
    const form = { url: receiver.url + path, filter: [{ object_type: 'member' }] };
    ids.push((await client.callOk('POST', '/webhooks', form)).id);
  }
  return ids;
};

/** Repeats the request when a killed bridge breaks the connection. */
const createMember = async (target: BridgeProcess): Promise<void> => {
  const answer = await fetch(`${await target.url}/v2/members`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
    body: '{}',
  }).catch(() => null);
  if (answer === null) return createMember(target);
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
};

describe('Webhooks of a bridge that is killed', () => {
  it('deliver every event at least once and record each delivery once', {
    tags: ['slow'],
    timeout: 600_000,
  }, async () => {
    const paths = ['/one', '/two', '/three'];
    // Every tenth event fails at first, so that retries are pending when the bridge is killed.
    const failed = new Set<string>();
    let deliveries = 0;
    receiver.answer('/three', ({ event }, response) => {
      deliveries += 1;
      const fails = deliveries % 10 === 0 && !failed.has(event.id);
      if (fails) failed.add(event.id);
      response.writeHead(fails ? 500 : 204).end();
    });
    const webhookIds = await createWebhooks(paths);
    await inProcess.bridge.close();
    const killed = new BridgeProcess(inProcess.dataDir, ['--webhook-allow', '127.0.0.0/8']);
    bridge = killed;
    await killed.start();
    const created = new Progress();
    const write = async (): Promise<void> => {
      while (created.count < EVENTS) {
        await createMember(killed);
        created.add();
      }
    };
    const writing = Promise.all(Array.from({ length: WRITERS }, write));
    for (let kill = 1; kill <= KILLS; kill++) {
      await Promise.race([created.reaches((kill * EVENTS) / (KILLS + 1)), writing]);
      await killed.kill();
      await killed.start();
    }
    await writing;

    const services = await openBridgeServices({ dataDir: inProcess.dataDir });
    const { reader } = services.storage;
    const pending = async (): Promise<number> => {
      const rows = await reader.selectFrom('webhook_deliveries').select('id').where('status', '=', 'pending').execute();
      return rows.length;
    };
    await expect.poll(pending, { timeout: 120_000, interval: 200 }).toBe(0);
    await killed.kill();
    const events = await reader
      .selectFrom('events')
      .select('id')
      .where('organization_id', '=', client.organizationId)
      .where('object_type', '=', 'member')
      .orderBy('recorded_at')
      .execute();
    expect(events.length).toBeGreaterThanOrEqual(EVENTS);
    for (const [index, path] of paths.entries()) {
      const log = await reader
        .selectFrom('webhook_deliveries')
        .select(['event_id', 'status'])
        .where('webhook_id', '=', webhookIds[index]!)
        .orderBy('position')
        .execute();
      expect(log).toEqual(events.map(({ id }) => ({ event_id: id, status: 'delivered' })));
      const received = new Set(receiver.at(path).map(({ event }) => event.id));
      expect(events.filter(({ id }) => !received.has(id))).toEqual([]);
    }
    expect(failed.size).toBeGreaterThan(0);
    await services.close();
  });
});
