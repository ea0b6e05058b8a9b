import { VirtualClock } from '../support/virtual-clock.ts';
import { technicianInputRulesResponseSchema } from '@lintel/wire-protocol/technician/input-rules';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PIN, rule, TechnicianApiFixture } from '../support/technician/technician-api-fixture.ts';

let door: TechnicianApiFixture;
let clock: VirtualClock;
beforeEach(async () => {
  clock = new VirtualClock();
  door = await TechnicianApiFixture.create(clock);
  await door.serve([rule('')]);
  door.claim();
  await door.client.login({ pass: door.passOf() });
});
afterEach(() => door.remove());

const put = (input_rules: unknown, more: object = {}) =>
  door.client.call('PUT', '/input_rules', { body: { input_rules, ...more } });
const apply = (code: string, confirm_within_s: unknown = 120) => put([rule(code)], { confirm_within_s });
const get = async () => technicianInputRulesResponseSchema.parse((await door.client.call('GET', '/input_rules')).body);
const say = (path: string, body: unknown = {}) => door.client.call('POST', `/input_rules/${path}`, { body });
const opens = (keys: string): boolean => {
  door.device.outputs.release('strike-0');
  door.device.keypad.press(keys);
  return door.device.outputs.isOn('strike-0');
};
const eventsOf = async (kind: string) => {
  const { body } = await door.client.call('GET', '/events');
  return (body['data'] as unknown as { readonly kind: string }[]).filter(one => one.kind === kind);
};

describe('PUT /input_rules with confirm_within_s', () => {
  it('applies the rules at once and reverts them when they are not confirmed in time', async () => {
    const { status, body } = await apply('*1');
    expect(status).toBe(200);
    expect(technicianInputRulesResponseSchema.parse(body)).toMatchObject({
      input_rules: [rule('*1')],
      pending: false,
      provisional: { seconds_left: 120, by: { user_id: 'usr_tina', pass_id: 'pass_1' }, previous: [rule('')] },
    });
    expect(opens(`*1${PIN}`)).toBe(true);
    clock.advance(90_000);
    const { provisional } = await get();
    expect(provisional?.seconds_left).toBe(30);
    expect(Date.parse(String(provisional?.reverts_at)) - door.device.time.now()).toBeLessThanOrEqual(30_000);
    clock.advance(30_000);
    expect(await get()).toMatchObject({ input_rules: [rule('')], provisional: null, pending: false });
    expect(opens(PIN)).toBe(true);
    expect(door.device.controller.localRules.pending()).toBeNull();
    expect(await eventsOf('rules_reverted')).toMatchObject([{ detail: expect.stringMatching(/^timeout/) }]);
  });

  it('keeps confirmed rules and only then sends them to the bridge', async () => {
    await apply('*1');
    expect(door.device.controller.localRules.pending()).toBeNull();
    const { status, body } = await say('confirm');
    expect([status, body]).toMatchObject([200, { input_rules: [rule('*1')], provisional: null, pending: true }]);
    clock.advance(600_000);
    expect((await get()).input_rules).toEqual([rule('*1')]);
    expect(door.device.controller.localRules.pending()).toMatchObject({ input_rules: [rule('*1')], pass_id: 'pass_1' });
    expect(await eventsOf('rules_edited')).toMatchObject([{ subject: { user_id: 'usr_tina' } }]);
    expect(await eventsOf('rules_confirmed')).toHaveLength(1);
  });

  it('reverts the rules on request', async () => {
    await apply('*1');
    expect((await say('revert')).body).toMatchObject({ input_rules: [rule('')], provisional: null, pending: false });
    for (const path of ['revert', 'confirm']) {
      const late = await say(path);
      expect([late.status, late.body['args']]).toEqual([409, { reason: 'not_provisional' }]);
    }
  });

  it('reverts the rules when the controller restarts', async () => {
    await put([rule('*5')]);
    await apply('*1');
    await door.close();
    await door.open();
    await door.client.login({ pass: door.passOf() });
    expect(await get()).toMatchObject({ input_rules: [rule('*5')], provisional: null, pending: true });
    expect(await eventsOf('rules_reverted')).toMatchObject([{ detail: expect.stringMatching(/^restart/) }]);
  });

  it('reverts several edits to the rules before the first of them', async () => {
    await apply('*1');
    clock.advance(60_000);
    await apply('*2');
    clock.advance(60_000);
    expect(await get()).toMatchObject({ input_rules: [rule('*2')], provisional: { previous: [rule('')] } });
    clock.advance(60_000);
    expect((await get()).input_rules).toEqual([rule('')]);
  });

  it('ends with the next edit without confirm_within_s', async () => {
    await apply('*1');
    expect((await put([rule('*3')])).body).toMatchObject({ provisional: null, pending: true });
    clock.advance(600_000);
    expect((await get()).input_rules).toEqual([rule('*3')]);
  });

  it('reverts to rules that came from the bridge during the trial, or keeps a conflict', async () => {
    await apply('*1');
    await door.serve([rule('*9')], 2);
    expect(await get()).toMatchObject({ input_rules: [rule('*1')], provisional: { previous: [rule('*9')] } });
    await say('confirm');
    expect(door.device.controller.localRules.pending()).toMatchObject({ base_revision: 1 });
    door.device.controller.localRules.acknowledged({
      v: 1,
      outcome: 'superseded',
      message: null,
      revision: 2,
      input_rules: [rule('*9')],
    } as never);
    expect(await get()).toMatchObject({
      input_rules: [rule('*9')],
      conflict: { yours: [rule('*1')], theirs: [rule('*9')] },
    });
  });

  it('rejects an edit with an outdated base', async () => {
    const { base } = await get();
    await apply('*1');
    const late = await put([rule('*2')], { base, confirm_within_s: 60 });
    expect([late.status, late.body['args']]).toMatchObject([409, { reason: 'edit_conflict' }]);
    expect((await get()).input_rules).toEqual([rule('*1')]);
  });

  it('keeps the rules when the session ends, and rejects changes without a session', async () => {
    await apply('*1');
    door.clock.at += 31 * 60_000;
    expect((await apply('*2')).status).toBe(401);
    expect((await say('confirm')).status).toBe(401);
    await door.client.login({ pass: door.passOf() });
    expect(await get()).toMatchObject({ input_rules: [rule('*1')], provisional: { seconds_left: 120 } });
    expect((await say('confirm')).status).toBe(200);
  });

  it('streams the edit and its automatic revert', async () => {
    const live = await door.client.live();
    await apply('*1');
    clock.advance(120_000);
    const ruleMessages = () => live.messages.filter(({ type }) => type === 'rules');
    await expect.poll(ruleMessages).toMatchObject([
      { provisional: true, pending: false },
      { provisional: false, pending: false },
    ]);
    expect(ruleMessages().at(-1)?.['base']).toBe((await get()).base);
    live.stop();
  });

  it('rejects invalid seconds and rules', async () => {
    for (const seconds of [9, 601, 1.5, '120', null]) {
      const { status, body } = await apply('*1', seconds);
      expect([seconds, status, body['args']]).toEqual([seconds, 400, { field: 'confirm_within_s' }]);
    }
    const { status, body } = await put([rule('x')], { confirm_within_s: 60 });
    expect([status, body['args']]).toEqual([400, { field: 'input_rules.0.code' }]);
    expect((await say('confirm', { now: true })).status).toBe(400);
    expect((await get()).provisional).toBeNull();
    for (const path of ['confirm', 'revert']) {
      door.client.token = null;
      expect((await say(path)).status).toBe(401);
    }
  });
});
