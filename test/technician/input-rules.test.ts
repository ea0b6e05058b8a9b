import { technicianInputRulesResponseSchema } from '@lintel/wire-protocol/technician/input-rules';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PIN, rule, TechnicianApiFixture } from '../support/technician/technician-api-fixture.ts';

let door: TechnicianApiFixture;
beforeEach(async () => {
  door = await TechnicianApiFixture.create();
});
afterEach(() => door.remove());

describe('PUT /input_rules', () => {
  beforeEach(async () => {
    await door.serve([rule('')]);
    door.claim();
    await door.client.login({ pass: door.passOf() });
  });
  const put = (input_rules: unknown, base?: string) =>
    door.client.call('PUT', '/input_rules', { body: { input_rules, ...(base === undefined ? {} : { base }) } });
  const get = async () =>
    technicianInputRulesResponseSchema.parse((await door.client.call('GET', '/input_rules')).body);
  const answer = (outcome: string, input_rules: readonly ReturnType<typeof rule>[], revision: number) =>
    door.device.controller.localRules.acknowledged({ v: 1, outcome, message: 'why', revision, input_rules } as never);

  it('stores rules that GET returns with their possible gadgets', async () => {
    expect(await get()).toMatchObject({
      device_id: 'dev_own',
      input_rules: [rule('')],
      pending: false,
      conflict: null,
      destinations: [
        { gadget_id: 'gad_door', is_own: true },
        { gadget_id: 'gad_garage', is_own: false, device_id: 'dev_other' },
      ],
    });
  });

  it('applies the rules at once, keeps them over a restart, and records the technician', async () => {
    door.device.keypad.press(PIN);
    expect(door.device.outputs.isOn('strike-0')).toBe(true);
    door.device.outputs.release('strike-0');
    const { status, body } = await put([rule('*1')]);
    expect([status, body]).toMatchObject([200, { input_rules: [rule('*1')], pending: true }]);
    door.device.keypad.press(`${PIN}#`);
    expect(door.device.outputs.isOn('strike-0')).toBe(false);
    door.device.keypad.press(`*1${PIN}`);
    expect(door.device.outputs.isOn('strike-0')).toBe(true);
    const edit = { v: 1, base_revision: 1, pass_id: 'pass_1', user_id: 'usr_tina', input_rules: [rule('*1')] };
    expect(door.device.controller.localRules.pending()).toMatchObject(edit);
    const { body: events } = await door.client.call('GET', '/events');
    expect(events['data']).toContainEqual(
      expect.objectContaining({ kind: 'rules_edited', subject: { user_id: 'usr_tina' } }),
    );
    await door.close();
    await door.open();
    await door.client.login({ pass: door.passOf() });
    expect(await get()).toMatchObject({ input_rules: [rule('*1')], pending: true });
    expect(door.device.controller.localRules.pending()).toMatchObject(edit);
  });

  it('names the invalid field of the rules', async () => {
    const refused = async (rules: unknown) => {
      const { status, body } = await put(rules);
      return [status, body['args']];
    };
    expect(await refused([rule('1'), rule('12')])).toEqual([400, { field: 'input_rules.1.code' }]);
    expect(await refused([rule('a')])).toEqual([400, { field: 'input_rules.0.code' }]);
    expect(await refused([rule('', 'gad_none')])).toEqual([400, { field: 'input_rules.0.gadget_id' }]);
    expect(await refused([rule('', 'gad_door', 'fly')])).toEqual([400, { field: 'input_rules.0.action_id' }]);
    expect(await refused('x')).toEqual([400, { field: 'input_rules' }]);
    expect(await refused(Array.from({ length: 501 }, (_, n) => rule(`*${n + 1000}`)))).toEqual([
      400,
      { field: 'input_rules' },
    ]);
    const { body } = await door.client.call('POST', '/input_rules/check', {
      body: { input_rules: [rule('x'), rule('', 'gad_none')] },
    });
    expect(body).toMatchObject({
      ok: false,
      problems: [
        { path: 'input_rules.0.code', code: 'invalid_code' },
        { path: 'input_rules.1.gadget_id', code: 'unknown_gadget' },
      ],
    });
    expect(await get()).toMatchObject({ input_rules: [rule('')], pending: false });
  });

  it('rejects the second of two concurrent edits', async () => {
    const { base } = await get();
    expect((await put([rule('*1')], base)).status).toBe(200);
    const late = await put([rule('*2')], base);
    expect([late.status, late.body]).toMatchObject([409, { type: 'conflict', args: { reason: 'edit_conflict' } }]);
    expect((await get()).input_rules).toEqual([rule('*1')]);
  });

  it('keeps the rules over a snapshot with other rules until the bridge has answered', async () => {
    await put([rule('*1')]);
    door.device.controller.localRules.pending();
    await door.serve([rule('*9')], 5);
    expect(await get()).toMatchObject({ input_rules: [rule('*1')], pending: true });
    answer('accepted', [rule('*1')], 7);
    expect(await get()).toMatchObject({ input_rules: [rule('*1')], pending: false, conflict: null });
    await door.serve([rule('*1')], 7);
    await door.serve([rule('*5')], 8);
    expect((await get()).input_rules).toEqual([rule('*5')]);
  });

  it('keeps a conflict with rules of the bridge until it is resolved', async () => {
    await put([rule('*1')]);
    door.device.controller.localRules.pending();
    answer('superseded', [rule('*9')], 6);
    const conflict = {
      input_rules: [rule('*9')],
      pending: false,
      conflict: { yours: [rule('*1')], theirs: [rule('*9')] },
    };
    expect(await get()).toMatchObject(conflict);
    await door.serve([rule('*9')], 6);
    await door.close();
    await door.open();
    await door.client.login({ pass: door.passOf() });
    expect(await get()).toMatchObject(conflict);
    const blind = await put([rule('*3')]);
    expect([blind.status, blind.body['args']]).toEqual([409, { reason: 'unsettled_conflict' }]);
    const settled = await door.client.call('POST', '/input_rules/conflict', { body: { keep: 'yours' } });
    expect(settled.body).toMatchObject({ input_rules: [rule('*1')], pending: true, conflict: null });
    expect(door.device.controller.localRules.pending()).toMatchObject({ base_revision: 6, input_rules: [rule('*1')] });
    answer('superseded', [rule('*8')], 9);
    expect((await door.client.call('POST', '/input_rules/conflict', { body: { keep: 'theirs' } })).body).toMatchObject({
      input_rules: [rule('*8')],
      conflict: null,
    });
    expect((await door.client.call('POST', '/input_rules/conflict', { body: { keep: 'theirs' } })).status).toBe(409);
  });

  it('resolves a conflict with merged rules', async () => {
    await put([rule('*1')]);
    door.device.controller.localRules.pending();
    answer('superseded', [rule('*9')], 6);
    const { base } = await get();
    const { body } = await put([rule('*1'), rule('*9')], base);
    expect(body).toMatchObject({ conflict: null, pending: true });
  });
});
