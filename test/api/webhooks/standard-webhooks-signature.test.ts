import { createHmac, timingSafeEqual } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { waitForDeliveryAttempts } from '../../support/bridge/webhook-deliveries.ts';
import { type ReceivedDelivery, WebhookTestServer } from '../../support/bridge/webhook-test-server.ts';

let receiver: WebhookTestServer;
beforeAll(async () => {
  receiver = await WebhookTestServer.open();
});
afterAll(() => receiver.close());

const TOLERANCE_SECONDS = 300;

/** Verifies a delivery as the Standard Webhooks specification describes, with a secret in its `whsec_` form. */
const verify = (whsec: string, { headers, raw }: ReceivedDelivery, now: number): boolean => {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name =>
    String(headers[name]),
  );
  if (!/^\d+$/.test(timestamp!) || Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const key = Buffer.from(whsec.replace(/^whsec_/, ''), 'base64');
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), raw]);
  const expected = createHmac('sha256', key).update(signed).digest();
  return signatures!.split(' ').some(signature => {
    const [version, value = ''] = signature.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
};

/** How the documentation derives the secret for libraries of Standard Webhooks. */
const toStandardSecret = (secret: unknown): string => `whsec_${Buffer.from(String(secret)).toString('base64')}`;

describeOnBothDatabases(
  'Standard Webhooks headers',
  bridge => {
    it('verify with the secret of the webhook, with one id and a new timestamp for each attempt', async () => {
      const client = await bridge().newOrganization();
      const path = `/standard-${bridge().services.storage.engine}`;
      let answers = 0;
      receiver.answer(path, (_, response) => void response.writeHead((answers += 1) === 1 ? 500 : 204).end());
      const webhook = await client.callOk('POST', '/webhooks', {
        url: receiver.url + path,
        filter: [{ object_type: 'member' }],
      });
      await client.callOk('POST', '/members', { name: 'Ännä ☃' });
      const { id } = await waitForDeliveryAttempts(client, webhook.id, 1);
      bridge().advanceSeconds(4);
      const [first, second] = await receiver.received(path, 2);
      const secret = toStandardSecret(webhook['secret']);
      for (const delivered of [first!, second!]) {
        expect(delivered.headers['webhook-id']).toBe(id);
        expect(verify(secret, delivered, bridge().now)).toBe(true);
        expect(verify(toStandardSecret('another secret'), delivered, bridge().now)).toBe(false);
        const forged = { ...delivered, raw: Buffer.concat([delivered.raw, Buffer.from(' ')]) };
        expect(verify(secret, forged, bridge().now)).toBe(false);
      }
      expect(Number(second!.headers['webhook-timestamp']) - Number(first!.headers['webhook-timestamp'])).toBe(4);
    });
  },
  { webhookAllow: ['127.0.0.0/8'], webhookSweepMs: 20 },
  ['slow'],
);
