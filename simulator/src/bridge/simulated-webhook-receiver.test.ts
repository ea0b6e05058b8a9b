import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedWebhookReceiver } from './simulated-webhook-receiver.ts';

let receiver: SimulatedWebhookReceiver;
let received: string[];

beforeEach(async () => {
  received = [];
  receiver = await SimulatedWebhookReceiver.open(({ id }) => void received.push(id));
  receiver.secret = 'whs_1';
});

afterEach(() => receiver.close());

const body = JSON.stringify({ id: 'evt_1' });
const signed = (secret: string): string => createHmac('sha256', secret).update(body).digest('hex');

const post = async (signature: string | null, text = body): Promise<number> => {
  const headers = signature === null ? {} : { 'x-service-sig-sha256': signature };
  return (await fetch(receiver.url, { method: 'POST', headers, body: text })).status;
};

describe('SimulatedWebhookReceiver', () => {
  it('accepts a delivery signed with its secret', async () => {
    expect(await post(signed('whs_1'))).toBe(204);
    expect(received).toEqual(['evt_1']);
  });

  it('rejects a missing signature, a foreign one, and one for another body', async () => {
    expect(await Promise.all([post(null), post(signed('whs_2')), post(signed('whs_1'), '{"id":"evt_2"}')])).toEqual([
      401, 401, 401,
    ]);
    receiver.secret = null;
    expect(await post(signed('whs_1'))).toBe(401);
    expect(received).toEqual([]);
  });

  it('limits the size of a delivery', async () => {
    expect(await post(signed('whs_1'), 'x'.repeat(2_000_000))).toBe(413);
  });
});
