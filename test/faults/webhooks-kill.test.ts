import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { instant } from '@lintel/access-core/instant';
import { openServices } from '@lintel/cloud-bridge/main';
import { createWebhook } from '@lintel/cloud-bridge/resources/webhooks';
import { BridgeWorld, type OrganizationClient } from '../support/bridge/bridge-world.ts';
import { WebhookReceiver } from '../support/bridge/webhook-receiver.ts';

const EVENTS = 10_000;
const KILLS = 50;
const WRITERS = 32;
const root = join(import.meta.dirname, '../..');

let receiver: WebhookReceiver;
let world: BridgeWorld;
let client: OrganizationClient;
beforeAll(async () => {
  receiver = await WebhookReceiver.open();
  world = await BridgeWorld.open({ clock: () => instant(Date.now()) });
  world.now = instant(Date.now());
  client = await world.newOrganization();
});
afterAll(async () => {
  await receiver.close();
  rmSync(world.dataDir, { recursive: true, force: true });
});

/** The bridge as it is installed, in a process that can be killed. */
class BridgeProcess {
  readonly #dataDir: string;
  #child: ChildProcess | undefined;
  url = '';

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  async start(): Promise<void> {
    const options = ['--data', this.#dataDir, '--http-port', '0', '--mqtt-port', '0', '--log-level', 'error'];
    const child = spawn(
      process.execPath,
      [join(root, 'lintel.ts'), 'bridge', ...options, '--webhook-allow', '127.0.0.0/8', '--rate-limit', '1000000'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    this.#child = child;
    for await (const line of createInterface({ input: child.stdout })) {
      this.url = (JSON.parse(line) as { http: string }).http;
      return;
    }
    throw new Error('the bridge ended before it was ready');
  }

  async kill(): Promise<void> {
    const child = this.#child!;
    this.url = '';
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}

it(`loses nothing when the bridge is killed ${KILLS} times during ${EVENTS} events`, async () => {
  const paths = ['/one', '/two', '/three'];
  const { services } = world.bridge;
  const webhookIds: string[] = [];
  await services.writer.write(client.organizationId, {}, async context => {
    for (const path of paths) {
      const form = {
        url: receiver.url + path,
        filter: [{ object_type: 'member' }],
        expand: [],
        is_enabled: true,
        metadata: {},
      };
      webhookIds.push((await createWebhook(context, client.applicationId, form)).id);
    }
  });
  await world.bridge.close();

  const bridge = new BridgeProcess(world.dataDir);
  await bridge.start();
  let created = 0;
  const write = async (): Promise<void> => {
    while (created < EVENTS) {
      const answer = await fetch(`${bridge.url}/v2/members`, {
        method: 'POST',
        headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
        body: '{}',
        // A bridge that is being killed answers with a broken connection: the write is simply tried again.
      }).catch(() => null);
      if (answer === null) await delay(20);
      else if (answer.ok) created += 1;
      else throw new Error(`${answer.status} ${await answer.text()}`);
    }
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, write));
  let broken: unknown = null;
  writing.catch(error => (broken = error));
  for (let kills = 0; kills < KILLS; kills++) {
    const goal = Math.min(created + EVENTS / KILLS, EVENTS - 1);
    while (created < goal && broken === null) await delay(5);
    await bridge.kill();
    await bridge.start();
  }
  await writing;

  const beside = await openServices({ dataDir: world.dataDir });
  const { reader } = beside.storage;
  const pending = async (): Promise<number> => {
    const rows = await reader.selectFrom('webhook_deliveries').select('id').where('status', '=', 'pending').execute();
    return rows.length;
  };
  while ((await pending()) > 0) await delay(100);
  await bridge.kill();
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
  await beside.close();
}, 900_000);
