import { DeviceCredentialDigester } from '@lintel/device-runtime/credentials/credential-digests';
import { technicianLiveMessageSchema } from '@lintel/wire-protocol/technician/live-message';
import {
  supportBundleSchema,
  technicianStatusResponseSchema,
} from '@lintel/wire-protocol/technician/status-and-support-bundle';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CARD, PIN, rule, TechnicianApiFixture } from '../support/technician/technician-api-fixture.ts';

let door: TechnicianApiFixture;
beforeEach(async () => {
  door = await TechnicianApiFixture.create();
});
afterEach(() => door.remove());

describe('technician API diagnostics', () => {
  beforeEach(async () => {
    await door.serve([rule('', 'gad_door'), rule('*12', 'gad_door', 'unlock')]);
    await door.client.login({ code: door.setupCode });
  });

  it('returns the status of the controller', async () => {
    const { body } = await door.client.call('GET', '/status');
    expect(technicianStatusResponseSchema.parse(body)).toMatchObject({
      product_id: 'laptop-simulator',
      claimed: false,
      device_id: 'dev_own',
      upstream: { connected: false, via: null },
      slice: { revision: 1, age_ms: null },
      gadgets: [{ gadget_id: 'gad_door', state_id: 'locked', actions: [{ id: 'open' }, {}, {}] }],
      inputs: expect.arrayContaining([
        { input: 'contact-0', role: 'contact', level: 'inactive', gadget_id: 'gad_door' },
        { input: 'tamper', role: 'tamper', level: 'inactive', gadget_id: null },
      ]),
      outputs: expect.arrayContaining([
        { output: 'strike-0', role: 'strike', gadget_id: 'gad_door', can_pulse: false },
        { output: 'buzzer', role: 'buzzer', gadget_id: null, can_pulse: true },
      ]),
      stations: [{ id: 'station-0', keypad: true, reader: true, locked_for_ms: 0 }],
      clock: { trusted: expect.any(Boolean), source: expect.any(String) },
      rules: { pending: false, conflict: false },
      digest_key_kept_in: 'file',
      disk: { free_bytes: expect.any(Number), total_bytes: expect.any(Number) },
    });
  });

  it('returns where the digest key is kept', async () => {
    await door.close();
    door.digestKey = { storage: 'hardware', read: () => new Uint8Array(32).fill(9) };
    await door.open();
    await door.client.login({ code: door.setupCode });
    expect((await door.client.call('GET', '/status')).body).toMatchObject({ digest_key_kept_in: 'hardware' });
  });

  it('streams live messages without PIN digits and card numbers', async () => {
    const live = await door.client.live();
    const { messages } = live;
    door.device.keypad.press(`*12${PIN}`);
    door.device.keypad.press('9999#');
    door.device.reader.tap(CARD);
    door.device.inputs.press('exit-0');
    door.device.inputs.set('contact-0', 'active');
    const kinds = () => messages.map(({ type }) => type);
    await expect.poll(kinds).toContain('input');
    await expect.poll(() => messages.some(one => one['input'] === 'contact-0')).toBe(true);
    live.stop();
    for (const one of messages) technicianLiveMessageSchema.parse(one);
    expect(messages.slice(0, 4)).toEqual([
      { type: 'key', station: 'station-0', key: '*' },
      { type: 'feedback', station: 'station-0', kind: 'key_taken' },
      expect.objectContaining({ type: 'output', output: 'buzzer' }),
      { type: 'entry', station: 'station-0', phase: 'code', rule: null },
    ]);
    const armed = {
      type: 'entry',
      station: 'station-0',
      phase: 'armed',
      rule: { gadget_id: 'gad_door', action_id: 'unlock' },
    };
    expect(messages).toContainEqual(armed);
    expect(messages).toContainEqual({ type: 'card', station: 'station-0', card: '••••••••••••f6' });
    expect(messages).toContainEqual(expect.objectContaining({ type: 'output', output: 'strike-0', on: true }));
    const decided = messages.flatMap(one => (one['type'] === 'event' ? [one['event'] as Record<string, unknown>] : []));
    expect(decided.map(({ kind, reason }) => [kind, reason])).toEqual(
      expect.arrayContaining([
        ['use', undefined],
        ['deny', 'unknown_credential'],
      ]),
    );
    const keys = messages.flatMap(one => (one['type'] === 'key' ? [one['key']] : []));
    expect(keys.join('')).toBe('*••••••••••#');
    expect(JSON.stringify(messages)).not.toMatch(new RegExp(`${PIN}|${CARD}|9999`));
  });

  it('limits the live streams and frees the place of one that closes', async () => {
    const eight = await Promise.all(Array.from({ length: 8 }, () => door.client.live()));
    await expect(door.client.live()).rejects.toThrow('live: 409');
    eight[0]!.stop();
    let ninth: (typeof eight)[number] | null = null;
    await expect
      .poll(async () => {
        ninth = await door.client.live().catch(() => null);
        return ninth;
      })
      .not.toBeNull();
    for (const one of [...eight, ninth]) one?.stop();
  });

  it('closes the live stream when its session ends', async () => {
    const { ended: afterLogout } = await door.client.live();
    await door.client.call('POST', '/logout', { body: {} });
    await afterLogout;
    await door.client.login({ code: door.setupCode });
    const { ended: pushedOut } = await door.client.live();
    for (let other = 0; other < 32; other++) await door.client.login({ code: door.setupCode });
    await pushedOut;
    const { ended: tooLong, messages } = await door.client.live();
    door.clock.at += 30 * 60_000;
    door.device.reader.tap(CARD);
    await tooLong;
    expect(messages).toEqual([]);
  });

  it('lists the newest events first', async () => {
    door.device.reader.tap(CARD);
    door.device.reader.tap('00000000');
    const { body } = await door.client.call('GET', '/events?limit=2');
    expect(body['data']).toMatchObject([{ kind: 'deny', reason: 'unknown_credential' }, {}]);
    for (const limit of ['0', 'x', '1001', '-1'])
      expect([limit, (await door.client.call('GET', `/events?limit=${limit}`)).body['args']]).toEqual([
        limit,
        { field: 'limit' },
      ]);
  });

  it('returns a support bundle without secrets', async () => {
    door.device.keypad.press(`${PIN}#1234567#`);
    door.device.reader.tap(CARD);
    await door.client.call('PUT', '/input_rules', { body: { input_rules: [rule('*77')] } });
    const { text, body, headers } = await door.client.call('GET', '/support_bundle');
    const bundle = supportBundleSchema.parse(body);
    expect(bundle).toMatchObject({ v: 1, profile: { product_id: 'laptop-simulator' }, input_rules: [rule('*77')] });
    expect(bundle.events.length).toBeGreaterThan(2);
    expect(bundle.clock_history.length).toBeGreaterThan(0);
    expect(bundle.log.length).toBeGreaterThan(0);
    expect(headers['content-disposition']).toContain('.json');
    const digests = new DeviceCredentialDigester(door.device.digestKey);
    // An id or a time may contain the digits by chance.
    expect(text).not.toMatch(new RegExp(`\\b${PIN}\\b`));
    const secrets = [
      '1234567',
      CARD,
      door.setupCode,
      door.setupCode.replaceAll('-', ''),
      door.client.token!,
      Buffer.from(door.device.digestKey).toString('hex'),
      Buffer.from(door.device.digestKey).toString('base64url'),
      digests.pin(PIN as never),
      digests.card(CARD as never),
      'PRIVATE KEY',
    ];
    for (const secret of secrets) expect(text.includes(secret)).toBe(false);
  });
});
