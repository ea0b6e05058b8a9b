import { VirtualClock } from '../support/virtual-clock.ts';
import {
  createCommissioningCredentialResponseSchema,
  commissioningCredentialStateResponseSchema,
} from '@lintel/wire-protocol/technician/commissioning-credential';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CARD, PIN, rule, TechnicianApiFixture } from '../support/technician/technician-api-fixture.ts';
import { asWholeWord } from '../support/as-whole-word.ts';

let door: TechnicianApiFixture;
let clock: VirtualClock;
beforeEach(async () => {
  clock = new VirtualClock();
  door = await TechnicianApiFixture.create(clock);
});
afterEach(() => door.remove());

const make = (kind: string) => door.client.call('POST', '/commissioning', { body: { kind } });
const look = async () =>
  commissioningCredentialStateResponseSchema.parse((await door.client.call('GET', '/commissioning')).body);
const events = async () =>
  (await door.client.call('GET', '/events')).body['data'] as unknown as Record<string, unknown>[];
const opens = (keys: string): boolean => {
  door.device.outputs.release('strike-0');
  door.device.keypad.press(keys);
  return door.device.outputs.isOn('strike-0');
};

describe('POST /commissioning', () => {
  it('rejects an unclaimed controller', async () => {
    await door.client.login({ code: door.setupCode });
    const { status, body } = await make('pin');
    expect([status, body['args']]).toEqual([409, { reason: 'not_claimed' }]);
  });

  describe('of a claimed controller', () => {
    beforeEach(async () => {
      await door.serve([rule(''), rule('*3', 'gad_door', 'unlock')]);
      door.claim();
      await door.client.login({ pass: door.passOf() });
    });

    it('creates a PIN that works for every rule for 15 minutes and is recorded as such', async () => {
      const { status, body } = await make('pin');
      const { pin, ...made } = createCommissioningCredentialResponseSchema.parse(body);
      expect([status, made]).toEqual([
        200,
        { outcome: 'made', kind: 'pin', card: null, expires_at: expect.any(String), seconds_left: 900 },
      ]);
      expect(pin).toMatch(/^[0-9]{6}$/);
      expect(opens(`${pin}`)).toBe(true);
      door.device.keypad.press(`*3${pin}`);
      const used = (await events()).filter(({ kind }) => kind === 'use');
      const byTechnician = {
        subject: { user_id: 'usr_tina', access_method: 'pin' },
        detail: expect.stringMatching(/^commissioning/),
      };
      expect(used).toMatchObject([
        { ...byTechnician, gadget_action_id: 'unlock' },
        { ...byTechnician, gadget_action_id: 'open' },
      ]);
      expect(await look()).toMatchObject({ active: true, kind: 'pin', uses: 2, by: { user_id: 'usr_tina' } });
      const everything = [await look(), await events(), (await door.client.call('GET', '/support_bundle')).body];
      expect(JSON.stringify(everything)).not.toMatch(asWholeWord(pin!));
      clock.advance(900_000);
      expect(await look()).toMatchObject({ active: false, kind: null, seconds_left: null });
      expect(opens(`${pin}#`)).toBe(false);
      expect((await events()).map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(['commissioning_made', 'commissioning_ended']),
      );
    });

    it('is marked in /input_rules/try and ends with DELETE, a new PIN or a restart', async () => {
      const first = createCommissioningCredentialResponseSchema.parse((await make('pin')).body);
      const credential = { type: 'pin', pin: first.pin };
      const tried = await door.client.call('POST', '/input_rules/try', { body: { code: '', credential } });
      expect(tried.body).toMatchObject({
        granted: true,
        subject: { member_id: null, user_id: 'usr_tina', access_method: 'pin', is_commissioning: true },
      });
      const second = createCommissioningCredentialResponseSchema.parse((await make('pin')).body);
      expect([opens(`${first.pin}#`), opens(`${second.pin}`)]).toEqual([false, true]);
      expect((await door.client.call('DELETE', '/commissioning')).body).toMatchObject({ active: false });
      expect(opens(`${second.pin}#`)).toBe(false);
      const third = createCommissioningCredentialResponseSchema.parse((await make('pin')).body);
      await door.close();
      await door.open();
      await door.client.login({ pass: door.passOf() });
      expect(await look()).toMatchObject({ active: false });
      expect(opens(`${third.pin}#`)).toBe(false);
    });

    it('makes an unknown card the commissioning card', async () => {
      const tapped = async (uid: string) => {
        const answer = make('next_card');
        await expect.poll(async () => (await make('next_card')).status).toBe(409);
        door.device.reader.tap(uid);
        return (await answer).body;
      };
      expect((await tapped(CARD))['args']).toEqual({ reason: 'known_card' });
      expect((await tapped('08112233'))['args']).toEqual({ reason: 'random_uid' });
      expect(await tapped('04998877665544')).toMatchObject({
        outcome: 'made',
        kind: 'card',
        pin: null,
        card: '••••••••••••44',
      });
      expect(door.device.outputs.isOn('strike-0')).toBe(false);
      door.device.reader.tap('04998877665544');
      expect(door.device.outputs.isOn('strike-0')).toBe(true);
      const [used] = (await events()).filter(({ kind }) => kind === 'use');
      expect(used).toMatchObject({ subject: { user_id: 'usr_tina', access_method: 'card' } });
    });

    it('creates nothing without a card', async () => {
      const answer = make('next_card');
      await expect.poll(async () => (await make('next_card')).status).toBe(409);
      clock.advance(30_000);
      expect((await answer).body).toMatchObject({ outcome: 'no_card', kind: null });
      expect(await look()).toMatchObject({ active: false });
    });

    it('leaves the PINs of members valid and requires a session', async () => {
      await make('pin');
      expect(opens(PIN)).toBe(true);
      const bad = await make('nose');
      expect([bad.status, bad.body['args']]).toEqual([400, { field: 'kind' }]);
      door.client.token = null;
      for (const method of ['GET', 'POST', 'DELETE'])
        expect((await door.client.call(method, '/commissioning')).status).toBe(401);
    });
  });
});
