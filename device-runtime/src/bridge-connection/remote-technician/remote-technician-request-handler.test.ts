import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import {
  TECHNICIAN_RESPONSE_PART_CHARS,
  MAX_TECHNICIAN_RESPONSE_PARTS,
} from '@lintel/wire-protocol/mqtt/messages/technician-response';
import { beforeEach, describe, expect, it } from 'vitest';
import { DoorWithFakeBridge } from '../../testing/door-with-fake-bridge.ts';
import type {
  RemoteTechnicianResponse,
  RemoteTechnicianRequest,
} from '../../controller/technician-page-endpoint-types.ts';

let world: DoorWithFakeBridge;
let asked: RemoteTechnicianRequest[];
let reply: RemoteTechnicianResponse | Promise<RemoteTechnicianResponse>;
beforeEach(async () => {
  world = await DoorWithFakeBridge.connected();
  asked = [];
  reply = { status: 200, headers: {}, body: '{}' };
  world.door.controller.technician.page = {
    name: 'lintel-7f3a',
    url: 'https://lintel-7f3a.local:8443',
    address: 'https://192.168.1.20:8443',
    fingerprint: '00',
    handleRequest: async request => {
      asked.push(request);
      return reply;
    },
  };
});

const request = (given: Partial<MqttMessageContent<'technician'>> = {}): MqttMessageContent<'technician'> => ({
  v: 1,
  request_id: 'r1',
  session_nonce: world.bridge.nonce,
  sent_at: world.door.time.now(),
  deadline_ms: 10_000,
  user_id: 'usr_tina' as never,
  operation: 'pulse_output',
  parameters: { output: 'red' },
  query: {},
  body: '{"ms":100}',
  ...given,
});
const answers = async () => {
  await world.settled();
  return world.bridge.received('technician-answer');
};

describe('remote technician', () => {
  it('forwards a request with its user and returns the response', async () => {
    world.bridge.send('technician', request());
    expect(await answers()).toEqual([
      { v: 1, request_id: 'r1', part: 0, parts: 1, status: 200, headers: {}, body: '{}' },
    ]);
    expect(asked).toMatchObject([
      { user_id: 'usr_tina', operation: 'pulse_output', parameters: { output: 'red' }, body: '{"ms":100}' },
    ]);
  });

  it('handles each request once', async () => {
    for (let time = 0; time < 3; time++) world.bridge.send('technician', request());
    expect(await answers()).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });

  it('ignores requests for another session', async () => {
    const before = request();
    world.bridge.disconnect();
    world.bridge.connect();
    world.bridge.send('technician', before);
    expect((await answers()).map(({ status }) => status)).toEqual([503]);
    expect(asked).toEqual([]);
  });

  it("ignores requests whose deadline has passed by the bridge's clock", async () => {
    const heldBack = request();
    world.door.clock.advance(12_000);
    world.bridge.send('technician', heldBack);
    expect((await answers()).map(({ status }) => status)).toEqual([503]);
    expect(asked).toEqual([]);
  });

  it('sends a large response in parts', async () => {
    const body = JSON.stringify('ä😀'.repeat(TECHNICIAN_RESPONSE_PART_CHARS));
    reply = { status: 200, headers: { 'retry-after': '3' }, body };
    world.bridge.send('technician', request());
    await expect.poll(async () => (await answers()).length).toBe(4);
    const parts = await answers();
    expect(parts.map(({ part }) => part)).toEqual(parts.map((_, index) => index));
    expect(parts.map(one => one.body).join('')).toBe(body);
  });

  it('answers 413 for a response that is too large, and says that it is available at the controller', async () => {
    reply = {
      status: 200,
      headers: {},
      body: 'x'.repeat(TECHNICIAN_RESPONSE_PART_CHARS * MAX_TECHNICIAN_RESPONSE_PARTS + 1),
    };
    world.bridge.send('technician', request());
    expect(await answers()).toMatchObject([{ status: 413, body: expect.stringContaining('at the controller') }]);
  });

  it('limits the requests in progress', async () => {
    const { promise, resolve } = Promise.withResolvers<RemoteTechnicianResponse>();
    reply = promise;
    for (let number = 0; number < 20; number++) world.bridge.send('technician', request({ request_id: `r${number}` }));
    expect((await answers()).map(({ status }) => status)).toEqual([429, 429, 429, 429]);
    resolve({ status: 200, headers: {}, body: '{}' });
    expect(await answers()).toHaveLength(20);
  });

  it('responds that nothing is served when no handler is registered', async () => {
    world.door.controller.technician.page = null;
    world.bridge.send('technician', request());
    expect((await answers()).map(({ status }) => status)).toEqual([503]);
  });

  const look = () =>
    world.bridge.send(
      'technician',
      request({ request_id: 'live', operation: 'watch_live', parameters: {}, body: null }),
    );
  const seen = async () => {
    world.door.clock.advance(200);
    await world.settled();
    return world.bridge.received('technician-live');
  };

  it('sends live updates while a viewer renews its interest, and then stops by itself', async () => {
    world.door.reader.tap('04a1b2c3');
    expect(await seen()).toEqual([]);
    look();
    world.door.reader.tap('04a1b2c3');
    const [first] = await seen();
    expect(first).toMatchObject({ session_nonce: world.bridge.nonce, first: 1 });
    expect(first!.happenings[0]).toEqual({ type: 'card', station: expect.any(String), card: '••••••c3' });
    world.door.clock.advance(45_000);
    const before = (await seen()).length;
    world.door.reader.tap('04a1b2c3');
    expect(await seen()).toHaveLength(before);
  });

  it('sends no live updates on the next connection until a viewer asks again', async () => {
    look();
    world.bridge.disconnect();
    world.bridge.connect();
    world.door.reader.tap('04a1b2c3');
    expect(await seen()).toEqual([]);
  });
});
