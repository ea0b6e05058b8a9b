import type { UpdateClock } from '@lintel/updates/update-clock-interface';
import { createGatewayUpdateAdapter } from '@lintel/gateway/testing';
import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import { buildUplinkTopic } from '@lintel/wire-protocol/mqtt/topics';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { GatewaySite } from '../support/devices/gateway-site.ts';
import type { TestController } from '../support/devices/test-controller.ts';

const QUIET_MS = 3000;
const SECOND_MS = 1000;

/** A clock that a test advances. */
class ManualUpdateClock implements UpdateClock {
  #now = 0;
  #due: { readonly at: number; readonly work: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, work: () => void): () => void {
    const timer = { at: this.#now + ms, work };
    this.#due.push(timer);
    return () => {
      this.#due = this.#due.filter(one => one !== timer);
    };
  }

  pass(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#due.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#due = this.#due.filter(one => one !== next);
      this.#now = next.at;
      next.work();
    }
    this.#now = end;
  }
}

let bridge: TestBridge;
let site: GatewaySite;
let clock: ManualUpdateClock;
let stop: AbortController;
let hasSwitched: boolean;

beforeAll(async () => {
  bridge = await TestBridge.open({ isTicking: true });
});
afterAll(() => bridge.close());
beforeEach(async () => {
  site = await GatewaySite.open(bridge);
  clock = new ManualUpdateClock();
  stop = new AbortController();
  hasSwitched = false;
});
afterEach(async () => {
  stop.abort();
  await site.close();
});

/** Waits for a quiet period to restart the gateway, as an installed update does. */
const awaitQuietMoment = (withinMs: number): void => {
  const updated = createGatewayUpdateAdapter(site.gateway, () => undefined, clock);
  updated.waitUntilIdle({ quietMs: QUIET_MS, withinMs, signal: stop.signal }).then(
    () => (hasSwitched = true),
    () => undefined,
  );
};

/** Lets promises settle that the passed time has resolved. */
const passTime = async (ms: number): Promise<void> => {
  clock.pass(ms);
  await new Promise(resolve => setImmediate(resolve));
};

const expectSwitchSoon = async (): Promise<void> => {
  const passing = async (): Promise<boolean> => {
    await passTime(SECOND_MS);
    return hasSwitched;
  };
  await expect.poll(passing).toBe(true);
};

const peerRequest = (gadget_id: string): MqttMessageContent<'peer-request'> => ({
  v: 1,
  request_id: 'r_0123456789abcdef',
  nonce: 'bm9uY2Ugb2YgdGhlIG93bmVy',
  deadline_ms: 2000,
  gadget_id: gadget_id as never,
  action_id: 'open',
  occurred_at: bridge.now,
  time_trusted: true,
  subject: null,
  trigger: null,
});

const sendToPeer = <K extends 'peer-request' | 'peer-answer'>(
  from: TestController,
  to: TestController,
  kind: K,
  message: MqttMessageContent<K>,
): Promise<void> => from.publish(buildUplinkTopic(from.deviceId, kind), from.encode(kind, message, to.deviceId));

describe('Update of a gateway', () => {
  it.each([
    ['that was just installed', 300_000],
    ['that is overdue', 0],
  ])('%s waits while a door is opened remotely', async (_, withinMs) => {
    const { controller, client, gadgetId } = site;
    await controller.start(site.url);
    const asked = controller.next('action');
    const called = client.call('POST', `/gadgets/${gadgetId}/actions/open`, {});
    const { request_id } = await asked;
    awaitQuietMoment(withinMs);
    await passTime(30 * SECOND_MS);
    expect(hasSwitched).toBe(false);
    await controller.send('action-result', { v: 1, request_id, outcome: 'done', reason: null, event_id: null });
    expect((await called).status).toBe(200);
    await expectSwitchSoon();
  });

  it('waits while one controller asks another to open, without the bridge', async () => {
    const { controller: owner, gadgetId } = site;
    const reader = await site.claimAnotherController();
    await owner.start(site.url);
    await reader.start(site.url);
    await site.cutLink();
    const request = peerRequest(gadgetId);
    await sendToPeer(reader, owner, 'peer-request', request);
    await expect.poll(() => site.gateway.status().traffic.local).toBe(1);
    awaitQuietMoment(0);
    await passTime(30 * SECOND_MS);
    expect(hasSwitched).toBe(false);
    const next_nonce = 'bm9uY2Ugb2YgdGhlIG93bmVy';
    const outcome = { outcome: 'done', reason: null, event_id: null, next_nonce } as const;
    await sendToPeer(owner, reader, 'peer-answer', { v: 1, request_id: request.request_id, ...outcome });
    await expectSwitchSoon();
  });
});
