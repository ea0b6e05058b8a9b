import type { MemberTokenId } from '@lintel/access-core/ids';
import { SimulatedRadio } from '@lintel/simulator/virtual-hardware/simulated-bluetooth-radio';
import { createSimulatedWiring } from '@lintel/simulator/virtual-hardware/simulated-wiring';
import { openOverBluetooth } from '@lintel/member-sdk';
import { toPhoneKey } from '@lintel/drivers/hardware';
import type { DoorWiring } from '@lintel/drivers/interfaces';
import { toBase64url } from '@lintel/wire-protocol/encoding/base64url';
import { encodeMemberTokenSeed } from '@lintel/wire-protocol/phone/member-token-seed';
import { monotonic } from '@lintel/access-core/monotonic-time';
import { describe, expect, it } from 'vitest';
import {
  createDeviceEntry,
  createGadgetEntry,
  createMemberEntry,
  createMemberGroupEntry,
  createSiteEntry,
  DoorHarness,
  testCredentialDigester,
} from '@lintel/device-runtime/testing';

const bluetoothKey = new Uint8Array(32).fill(7);
const identity = { organization_id: 'org_1', device_id: 'dev_1' };
const tokenOf = (byte: number): string => encodeMemberTokenSeed(new Uint8Array(32).fill(byte));
const publicKeyOf = (token: string): string => toBase64url(toPhoneKey(token)!.publicKey);
const annsToken = tokenOf(1);
const anns = { member_id: 'mem_ann', member_token_id: 'mt_mem_ann-0', access_method: 'bluetooth' };

const snapshot = (access_methods: object | null = null, input_rules: readonly object[] = []) => [
  createDeviceEntry(input_rules),
  createSiteEntry(),
  createGadgetEntry({ id: 'gad_door' }),
  createGadgetEntry({ id: 'gad_other', created_at: 2 }),
  createMemberGroupEntry('mg_all', [{ gadget_id: 'gad_door', access_methods }]),
  createMemberEntry(testCredentialDigester, 'mem_ann', { tokens: [publicKeyOf(annsToken)], groups: ['mg_all'] }),
];

const openWorld = async (entries = snapshot(), door: Partial<DoorWiring> = {}) => {
  const time = { now: monotonic(0) };
  const radio = new SimulatedRadio({
    identity: () => identity,
    bluetoothKey: () => bluetoothKey,
    clock: { now: () => time.now },
    log: () => undefined,
  });
  const simulated = createSimulatedWiring({ keypad: null, reader: null });
  const world = await DoorHarness.open(entries, {
    wiring: {
      ...simulated,
      gadget: (...gadget) => ({ ...(simulated.gadget(...gadget) as DoorWiring), ...door }),
      bluetooth: { radio, limits: { rssi_threshold: -75, requires_rssi: false, round_trip_ms: 1_000 } },
    },
  });
  const open = async (token: string, { rssi = -50, gadget_id = 'gad_door', signDelayMs = 0 } = {}): Promise<string> => {
    const key = toPhoneKey(token)!;
    const sign = async (message: Uint8Array): Promise<Uint8Array> => {
      time.now = monotonic(time.now + signDelayMs);
      return key.sign(message);
    };
    const credential = { organization_id: 'org_1', bluetoothKey, publicKey: key.publicKey, sign };
    return openOverBluetooth(radio.connect('phone', rssi), [credential], () => ({
      gadget_id,
      action_id: 'open',
      rssi,
    }));
  };
  return { world, radio, open };
};

describe('phone over Bluetooth', () => {
  it('unlocks the door that it names, whatever the input rules, and the event names method, member and token', async () => {
    const { world, open } = await openWorld(
      snapshot(null, [{ code: '12', gadget_id: 'gad_other', action_id: 'open' }]),
    );
    expect(await open(annsToken)).toBe('granted');
    expect(world.isUnlocked).toBe(true);
    expect(world.recorded[0]).toMatchObject({ kind: 'use', gadget_id: 'gad_door', subject: anns });
    expect(world.timeline).toContain('green on');
  });

  it('needs a rule that allows Bluetooth', async () => {
    expect(await (await openWorld(snapshot({ bluetooth: true }))).open(annsToken)).toBe('granted');
    const { world, open } = await openWorld(snapshot({ mobile_nfc: true, card: true }));
    expect(await open(annsToken)).toBe('denied');
    expect(world.recorded[0]).toMatchObject({ kind: 'deny', reason: 'method_not_allowed', subject: anns });
  });

  it('is denied with an unknown key, at another gadget and at a gadget that does not exist', async () => {
    const { world, open } = await openWorld();
    expect(await open(tokenOf(2))).toBe('denied');
    expect(await open(annsToken, { gadget_id: 'gad_other' })).toBe('denied');
    expect(await open(annsToken, { gadget_id: 'gad_nowhere' })).toBe('denied');
    expect(world.recorded.map(({ reason }) => reason)).toEqual([
      'unknown_credential',
      'no_matching_rule',
      'no_matching_rule',
    ]);
    expect(world.recorded[0]!.subject).toEqual({ access_method: 'bluetooth' });
    expect(world.isUnlocked).toBe(false);
  });

  it('is denied as soon as its token is revoked', async () => {
    const { world, open } = await openWorld();
    world.controller.revoke({
      v: 1,
      revision: 2,
      member_ids: [],
      member_pin_ids: [],
      member_card_ids: [],
      member_token_ids: ['mt_mem_ann-0' as MemberTokenId],
      member_group_association_ids: [],
    });
    expect(await open(annsToken)).toBe('denied');
    expect(world.recorded[0]).toMatchObject({ kind: 'deny', reason: 'unknown_credential' });
  });

  it('is denied too far away, by the threshold of the door or of the profile', async () => {
    const { world, open } = await openWorld();
    expect(await open(annsToken, { rssi: -76 })).toBe('too_far');
    expect(world.recorded[0]).toMatchObject({ kind: 'deny', reason: 'not_present', subject: anns });
    expect(world.isUnlocked).toBe(false);
    expect(await open(annsToken, { rssi: -75 })).toBe('granted');
    const strict = await openWorld(snapshot(), { rssi_threshold: -40 });
    expect(await strict.open(annsToken, { rssi: -41 })).toBe('too_far');
  });

  it('is denied if the proof takes too long', async () => {
    const { world, open } = await openWorld();
    expect(await open(annsToken, { signDelayMs: 1_001 })).toBe('too_slow');
    expect(world.recorded[0]).toMatchObject({ kind: 'deny', reason: 'not_present' });
    expect(await open(annsToken, { signDelayMs: 1_000 })).toBe('granted');
  });

  it('does not learn from its distance whether it has access', async () => {
    const { open } = await openWorld();
    expect(await open(tokenOf(2), { rssi: -90 })).toBe('denied');
  });

  it('gets a fault if the lock cannot be switched', async () => {
    const { world, open } = await openWorld();
    world.outputs.fail({ kind: 'absent', message: 'unplugged' });
    expect(await open(annsToken)).toBe('door_fault');
    expect(world.isUnlocked).toBe(false);
  });

  it('has each wrong proof recorded', async () => {
    const { world, radio, open } = await openWorld();
    const link = radio.connect('attacker', -50);
    const wrongKey = { ...toPhoneKey(annsToken)!, sign: async () => new Uint8Array(64) };
    const credential = { organization_id: 'org_1', bluetoothKey, ...wrongKey };
    const request = { gadget_id: 'gad_door', action_id: 'open', rssi: -50 };
    expect(await openOverBluetooth(link, [credential], () => request)).toBe('wrong_proof');
    expect(world.recorded).toMatchObject([
      { kind: 'deny', reason: 'unknown_credential', subject: { access_method: 'bluetooth' } },
    ]);
    expect(await open(annsToken)).toBe('granted');
  });

  it('reports a missing radio as a fault', async () => {
    const { world, radio } = await openWorld();
    radio.fail({ kind: 'absent', message: 'Bluetooth: No adapter that can advertise' });
    expect(world.controller.faults().map(({ code }) => code)).toEqual(['bluetooth']);
    radio.fail(null);
    expect(world.controller.faults()).toEqual([]);
  });
});
