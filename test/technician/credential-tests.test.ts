import { VirtualClock } from '../support/virtual-clock.ts';
import { credentialTestResponseSchema } from '@lintel/wire-protocol/technician/try-input-rules';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CARD, PIN, rule, TechnicianApiFixture } from '../support/technician/technician-api-fixture.ts';

let door: TechnicianApiFixture;
let clock: VirtualClock;
beforeEach(async () => {
  clock = new VirtualClock();
  door = await TechnicianApiFixture.create(clock);
  await door.serve([rule(''), rule('*2', 'gad_garage'), rule('*3', 'gad_door', 'unlock')]);
  door.claim();
  await door.client.login({ pass: door.passOf() });
});
afterEach(() => door.remove());

const call = (body: unknown) => door.client.call('POST', '/input_rules/try', { body });
const tryPin = (code: string, pin: string, more: object = {}) =>
  call({ code, credential: { type: 'pin', pin }, ...more });
const tryCard = (code = '') => call({ code, credential: { type: 'next_card' } });
const events = async () =>
  (await door.client.call('GET', '/events')).body['data'] as unknown as Record<string, unknown>[];

describe('POST /input_rules/try', () => {
  it('returns the decision for a PIN after a code without executing or recording it', async () => {
    const before = (await events()).length;
    const { status, body } = await tryPin('*3', PIN);
    expect([status, credentialTestResponseSchema.parse(body)]).toEqual([
      200,
      {
        outcome: 'tried',
        rule: rule('*3', 'gad_door', 'unlock'),
        granted: true,
        reason: null,
        subject: { member_id: 'mem_ann', user_id: null, access_method: 'pin', is_commissioning: false },
        would: { gadget_id: 'gad_door', action_id: 'unlock', is_own: true },
        card: null,
      },
    ]);
    expect((await tryPin('*2', PIN)).body).toMatchObject({
      granted: true,
      would: { gadget_id: 'gad_garage', is_own: false },
    });
    expect(door.device.outputs.isOn('strike-0')).toBe(false);
    expect(await events()).toHaveLength(before);
  });

  it('checks a draft of rules as well as the active rules', async () => {
    const draft = [rule('77', 'gad_door')];
    expect((await tryPin('77', PIN)).body).toMatchObject({
      rule: null,
      granted: false,
      reason: 'no_input_rule',
      would: null,
    });
    expect((await tryPin('77', PIN, { input_rules: draft })).body).toMatchObject({ rule: draft[0], granted: true });
    expect((await tryPin('', PIN, { input_rules: [] })).body).toMatchObject({
      rule: null,
      granted: true,
      would: { gadget_id: 'gad_door', action_id: 'open' },
    });
    const bad = await tryPin('', PIN, { input_rules: [rule('1'), rule('12')] });
    expect([bad.status, bad.body['args']]).toEqual([400, { field: 'input_rules.1.code' }]);
  });

  it('records wrong PINs as denials and locks as a keypad does', async () => {
    for (let tries = 0; tries < 5; tries++)
      expect((await tryPin('', `999${tries}`)).body).toMatchObject({ granted: false, reason: 'unknown_credential' });
    const locked = await tryPin('', PIN);
    expect([locked.status, locked.headers['retry-after'], locked.body['args']]).toEqual([
      429,
      '30',
      { reason: 'locked_out' },
    ]);
    const denied = (await events()).filter(({ kind }) => kind === 'deny');
    expect(denied).toMatchObject([
      { reason: 'locked_out', detail: 'try (technician, pass pass_1)' },
      ...Array.from({ length: 5 }, () => ({
        reason: 'unknown_credential',
        subject: { user_id: 'usr_tina', access_method: 'pin' },
        gadget_id: 'gad_door',
        detail: 'try (technician, pass pass_1)',
      })),
    ]);
    expect(JSON.stringify(await events())).not.toMatch(/999\d/);
    door.device.keypad.press(PIN);
    expect(door.device.outputs.isOn('strike-0')).toBe(true);

    clock.advance(29_000);
    await door.close();
    await door.open();
    await door.client.login({ pass: door.passOf() });
    expect((await tryPin('', PIN)).headers['retry-after']).toBe('30');
    clock.advance(30_000);
    expect((await tryPin('', '9999')).status).toBe(200);
    expect((await tryPin('', PIN)).headers['retry-after']).toBe('60');
  });

  it('does not check a PIN that no rule applies to', async () => {
    for (let tries = 0; tries < 8; tries++)
      expect((await tryPin('*', '9999')).body).toMatchObject({ reason: 'no_input_rule', subject: null });
    expect((await tryPin('', PIN)).body).toMatchObject({ granted: true });
  });

  it('checks the next card at a reader, which opens nothing and records no event', async () => {
    const before = (await events()).length;
    const answer = tryCard('*3');
    await expect.poll(async () => (await tryCard()).body['args']).toEqual({ reason: 'busy' });
    door.device.reader.tap(CARD);
    expect((await answer).body).toMatchObject({
      outcome: 'tried',
      rule: { code: '*3' },
      granted: true,
      subject: { member_id: 'mem_ann', access_method: 'card' },
      card: '••••••••••••f6',
    });
    expect(door.device.outputs.isOn('strike-0')).toBe(false);
    const stranger = tryCard();
    await expect.poll(async () => (await tryCard()).status).toBe(409);
    door.device.reader.tap('00112233');
    expect((await stranger).body).toMatchObject({ granted: false, reason: 'unknown_credential' });
    expect(await events()).toHaveLength(before);
    door.device.reader.tap(CARD);
    expect(door.device.outputs.isOn('strike-0')).toBe(true);
  });

  it('ends after 30 seconds without a card', async () => {
    const answer = tryCard();
    await expect.poll(async () => (await tryCard()).status).toBe(409);
    clock.advance(30_000);
    const { status, body } = await answer;
    expect([status, credentialTestResponseSchema.parse(body)]).toMatchObject([
      200,
      { outcome: 'no_card', granted: null, card: null },
    ]);
    door.device.reader.tap(CARD);
    expect(door.device.outputs.isOn('strike-0')).toBe(true);
  });

  it('stops waiting for a card when the client disconnects', async () => {
    const disconnect = door.client.send('POST', '/input_rules/try', {
      body: { code: '', credential: { type: 'next_card' } },
    });
    await expect.poll(async () => (await tryCard()).status).toBe(409);
    disconnect();
    await expect
      .poll(() => {
        door.device.outputs.release('strike-0');
        door.device.reader.tap(CARD);
        return door.device.outputs.isOn('strike-0');
      })
      .toBe(true);
  });

  it('streams the result without PIN digits', async () => {
    const live = await door.client.live();
    await tryPin('*3', PIN);
    await expect
      .poll(() => live.messages.filter(({ type }) => type === 'try'))
      .toEqual([
        {
          type: 'try',
          rule: { gadget_id: 'gad_door', action_id: 'unlock' },
          access_method: 'pin',
          granted: true,
          reason: null,
        },
      ]);
    expect(JSON.stringify(live.messages)).not.toContain(PIN);
    live.stop();
  });

  it('names the invalid field of a request', async () => {
    const field = async (body: unknown) => {
      const { status, body: answer } = await call(body);
      return [status, (answer['args'] as unknown as { field?: string }).field];
    };
    expect(await field({ credential: { type: 'pin', pin: PIN } })).toEqual([400, 'code']);
    expect(await field({ code: '', credential: { type: 'pin', pin: '12' } })).toEqual([400, 'credential.pin']);
    expect(await field({ code: '', credential: { type: 'pin', pin: 2580 } })).toEqual([400, 'credential.pin']);
    expect(await field({ code: '', credential: { type: 'nose' } })).toEqual([400, 'credential.type']);
    expect(await field({ code: '', credential: { type: 'next_card' }, why: 1 })).toEqual([400, 'why']);
    door.client.token = null;
    expect((await tryPin('', PIN)).status).toBe(401);
  });
});
