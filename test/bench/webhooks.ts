import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { instant } from '@lintel/access-core/instant';
import { logEvents } from '@lintel/cloud-bridge/testing';
import { Agent } from 'undici';
import { TestBridge, type TestOrganizationClient } from '../support/bridge/test-bridge.ts';
import { type Benchmark, median, scaled } from './harness/benchmark-types-and-statistics.ts';
import { WebhookReceivers } from './webhooks-fixture/webhook-receivers.ts';

const SUBSCRIBERS = 100;
const HANGING = 10;
const EVENTS_PER_SECOND = 20;
const SECONDS = scaled(10);
const BURST = scaled(200);
const ROUNDS = scaled(3);

const subscribe = async (client: TestOrganizationClient, urls: readonly string[]): Promise<void> => {
  const filter = [{ object_type: 'gadget_action', verb: 'use' }];
  for (const url of urls) await client.callOk('POST', '/webhooks', { url, filter });
};

/** Records a use event. Returns its id. */
const recordUse = async ({ services }: TestBridge, client: TestOrganizationClient): Promise<string> => {
  const id = services.newId('event');
  const object = { type: 'gadget_action', gadget_id: 'gad_bench', gadget_action_id: 'open' };
  await logEvents(services, client.organizationId, [{ id, verb: 'use', object }]);
  return id;
};

/** Counts once at the end: counting rows in every poll would take a third of the time that is measured. */
const waitForDeliveries = async (
  { bridge }: TestBridge,
  { organizationId }: TestOrganizationClient,
  deliveries: number,
): Promise<void> => {
  const database = bridge.services.storage.reader;
  const pending = database
    .selectFrom('webhooks')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('url', 'not like', '%/hang/%')
    .where(condition =>
      condition.exists(
        condition
          .selectFrom('webhook_deliveries')
          .select('webhook_deliveries.id')
          .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
          .where('status', '=', 'pending'),
      ),
    )
    .limit(1);
  while ((await pending.execute()).length > 0) await delay(10);
  const { count } = await database
    .selectFrom('webhook_deliveries')
    .select(select => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'delivered')
    .executeTakeFirstOrThrow();
  if (count !== deliveries) throw new Error(`${count} of ${deliveries} deliveries succeeded`);
};

/** p99 from commit to arrival, with some receivers that never respond. */
const measureSteadyP99 = async (world: TestBridge, receivers: WebhookReceivers): Promise<number> => {
  const client = await world.newOrganization();
  const paths = Array.from({ length: SUBSCRIBERS }, (_, index) => `/${index < HANGING ? 'hang' : 'ok'}/${index}`);
  await subscribe(
    client,
    paths.map(path => receivers.url + path),
  );
  await receivers.forget();
  const committed = new Map<string, bigint>();
  world.bridge.services.writer.onCommitted(({ events }) => {
    for (const { id } of events) committed.set(id, process.hrtime.bigint());
  });
  const count = EVENTS_PER_SECOND * SECONDS;
  const start = performance.now();
  for (let index = 0; index < count; index++) {
    await delay(Math.max(0, start + (index * 1000) / EVENTS_PER_SECOND - performance.now()));
    await recordUse(world, client);
  }
  const expected = count * (SUBSCRIBERS - HANGING);
  await waitForDeliveries(world, client, expected);
  const arrivals = await receivers.arrivals();
  if (arrivals.length !== expected) throw new Error(`${arrivals.length} of ${expected} deliveries arrived`);
  const waits = arrivals.map(([id, at]) => Number(BigInt(at) - committed.get(id)!) / 1e6).sort((a, b) => a - b);
  return waits[Math.floor(waits.length * 0.99)]!;
};

/** Deliveries per second from the first commit to the last entry of the delivery log. */
const measureBurst = async (world: TestBridge, receivers: WebhookReceivers): Promise<number> => {
  const client = await world.newOrganization();
  await subscribe(
    client,
    Array.from({ length: SUBSCRIBERS }, (_, index) => `${receivers.url}/flat/${index}`),
  );
  const start = performance.now();
  await Promise.all(Array.from({ length: BURST }, () => recordUse(world, client)));
  await waitForDeliveries(world, client, BURST * SUBSCRIBERS);
  return (BURST * SUBSCRIBERS * 1000) / (performance.now() - start);
};

const standardHeaders = (id: string, body: string): Record<string, string> => {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', 'secret').update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
};

/** The same signed requests with the same HTTP client and concurrency, without the bridge. */
const measureBarePosts = async (receivers: WebhookReceivers, body: string): Promise<number> => {
  const agent = new Agent();
  const start = performance.now();
  const subscriber = async (index: number): Promise<void> => {
    for (let count = 0; count < BURST; count++) {
      const { body: responseBody } = await agent.request({
        origin: receivers.url,
        path: `/bare/${index}`,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Lintel-Webhooks/1',
          'x-service-sig-sha256': createHmac('sha256', 'secret').update(body).digest('hex'),
          ...standardHeaders(`whd_${index}_${count}`, body),
        },
        body,
      });
      await responseBody.dump();
    }
  };
  await Promise.all(Array.from({ length: SUBSCRIBERS }, (_, index) => subscriber(index)));
  const perSecond = (BURST * SUBSCRIBERS * 1000) / (performance.now() - start);
  await agent.destroy();
  return perSecond;
};

const run: Benchmark['run'] = async () => {
  const receivers = await WebhookReceivers.start();
  const world = await TestBridge.open({ webhookAllow: ['127.0.0.0/8'], clock: () => instant(Date.now()) });
  const client = await world.newOrganization();
  const body = JSON.stringify(await world.bridge.services.reader.get('event', client, await recordUse(world, client)));
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(await measureBarePosts(receivers, body));
    ours.push(await measureBurst(world, receivers));
  }
  const p99_ms = await measureSteadyP99(world, receivers);
  await world.close();
  await receivers.stop();
  const deliveries_per_second = median(ours);
  return { figures: { p99_ms, deliveries_per_second }, ratios: { ceiling: deliveries_per_second / median(theirs) } };
};

export default { name: 'webhooks', goals: { ceiling: 0.6 }, run } satisfies Benchmark;
