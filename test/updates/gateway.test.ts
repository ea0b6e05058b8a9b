import { updatedGateway } from '@lintel/gateway/updates/updated-gateway';
import type { Message } from '@lintel/wire-protocol/mqtt/message-table';
import { upTopic } from '@lintel/wire-protocol/mqtt/topics';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BridgeWorld } from '../support/bridge/bridge-world.ts';
import { GatewaySite } from '../support/devices/gateway-site.ts';
import type { TestController } from '../support/devices/test-controller.ts';

let world: BridgeWorld;
let site: GatewaySite;
let happened: string[];
let stop: AbortController;

beforeEach(async () => {
  world = await BridgeWorld.open({ isTicking: true });
  site = await GatewaySite.open(world);
  happened = [];
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await site.close();
  await world.close();
});

/** As if a version were unpacked and waited: even one that has waited for long enough. */
const wantsToSwitch = (withinMs: number): void => {
  const updated = updatedGateway(site.gateway, () => undefined);
  updated.quiet({ quietMs: 300, withinMs, signal: stop.signal }).then(
    () => happened.push('switched'),
    () => undefined,
  );
};

/** Longer than a nonce's way, and some looks at whether it may switch. */
const someLooks = async (): Promise<void> => {
  for (let look = 0; look < 6; look++) {
    await new Promise(resolve => setTimeout(resolve, 200));
    expect([look, happened]).toEqual([look, []]);
  }
};

const answered = async (): Promise<void> => {
  await expect.poll(() => happened, { timeout: 5000 }).toEqual(['answered', 'switched']);
};

it.each([
  ['that has just begun to wait', 60_000],
  ['that is overdue', 0],
])('a gateway %s does not make way while a door is opened from afar', async (_, withinMs) => {
  const { controller, client, gadgetId } = site.hotel;
  await controller.start(site.url);
  const asked = controller.next('action');
  const called = client.call('POST', `/gadgets/${gadgetId}/actions/open`, {});
  const { request_id } = await asked;
  wantsToSwitch(withinMs);
  await someLooks();
  happened.push('answered');
  await controller.say('action-result', { v: 1, request_id, outcome: 'done', reason: null, event_id: null });
  expect((await called).status).toBe(200);
  await answered();
});

const request = (gadget_id: string): Message<'peer-request'> => ({
  v: 1,
  request_id: 'r_0123456789abcdef',
  nonce: 'bm9uY2Ugb2YgdGhlIG93bmVy',
  deadline_ms: 2000,
  gadget_id: gadget_id as never,
  action_id: 'open',
  occurred_at: world.now,
  time_trusted: true,
  subject: null,
  trigger: null,
});

const tells = <K extends 'peer-request' | 'peer-answer'>(
  from: TestController,
  to: TestController,
  kind: K,
  message: Message<K>,
): Promise<void> => from.shout(upTopic(from.deviceId, kind), from.encode(kind, message, to.deviceId));

it('a gateway does not make way while one controller asks another to open, with or without the bridge', async () => {
  const { controller: owner, gadgetId } = site.hotel;
  const reader = await site.another();
  await owner.start(site.url);
  await reader.start(site.url);
  await site.cut();
  const { request_id, ...asking } = request(gadgetId);
  await tells(reader, owner, 'peer-request', { request_id, ...asking });
  await expect.poll(() => site.gateway.status().traffic.local).toBe(1);
  wantsToSwitch(0);
  await someLooks();
  happened.push('answered');
  const next_nonce = 'bm9uY2Ugb2YgdGhlIG93bmVy';
  const answer = { v: 1, request_id, outcome: 'done', reason: null, event_id: null, next_nonce } as const;
  await tells(owner, reader, 'peer-answer', answer);
  await answered();
});
