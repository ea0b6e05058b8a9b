import type { MemberTokenId } from '@lintel/access-core/ids';
import { toBase64url } from '@lintel/wire-protocol/encoding/base64url';
import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { encodeMemberTokenSeed } from '@lintel/wire-protocol/phone/member-token-seed';
import { describe, expect, it } from 'vitest';
import { toPhoneKey } from '@lintel/drivers/hardware';
import {
  createDeviceEntry,
  createGadgetEntry,
  createMemberGroupEntry,
  createMemberEntry,
  createSiteEntry,
} from '../testing/snapshot-entries.ts';
import { testCredentialDigester, DoorHarness } from '../testing/door-harness.ts';

const token = encodeMemberTokenSeed(new Uint8Array(32).fill(1));
const publicKey = toBase64url(toPhoneKey(token)!.publicKey);
const anns = { member_id: 'mem_ann', member_token_id: 'mt_mem_ann-0', access_method: 'mobile_nfc' };

const annsPhone = (access_methods: object | null = null, input_rules: readonly object[] = []): SnapshotEntry[] => [
  createDeviceEntry(input_rules),
  createSiteEntry(),
  createGadgetEntry({ id: 'gad_door' }),
  createMemberGroupEntry('mg_all', [{ gadget_id: 'gad_door', access_methods }]),
  createMemberEntry(testCredentialDigester, 'mem_ann', { tokens: [publicKey], groups: ['mg_all'] }),
];

describe('phone tap', () => {
  it('unlocks the door with the key of a member token, and the event names method, member and token', async () => {
    const world = await DoorHarness.open(annsPhone());
    expect(await world.reader.tapPhone(token)).toBe(true);
    expect(world.isUnlocked).toBe(true);
    expect(world.recorded[0]).toMatchObject({ kind: 'use', gadget_id: 'gad_door', subject: anns });
  });

  it('is granted by rules that allow phones, not by rules that allow only cards', async () => {
    const allowed = await DoorHarness.open(annsPhone({ mobile_nfc: true }));
    await allowed.reader.tapPhone(token);
    expect(allowed.isUnlocked).toBe(true);
    const world = await DoorHarness.open(annsPhone({ card: true }));
    await world.reader.tapPhone(token);
    expect(world.isUnlocked).toBe(false);
    expect(world.recorded[0]).toMatchObject({ kind: 'deny', reason: 'method_not_allowed', subject: anns });
  });

  it('with an unknown key is denied', async () => {
    const world = await DoorHarness.open(annsPhone());
    await world.reader.tapPhone(encodeMemberTokenSeed(new Uint8Array(32).fill(2)));
    expect(world.isUnlocked).toBe(false);
    expect(world.recorded[0]).toMatchObject({
      kind: 'deny',
      reason: 'unknown_credential',
      subject: { access_method: 'mobile_nfc' },
    });
  });

  it('is denied as soon as its token is revoked', async () => {
    const world = await DoorHarness.open(annsPhone());
    world.controller.revoke({
      v: 1,
      revision: 2,
      member_ids: [],
      member_pin_ids: [],
      member_card_ids: [],
      member_token_ids: ['mt_mem_ann-0' as MemberTokenId],
      member_group_association_ids: [],
    });
    await world.reader.tapPhone(token);
    expect(world.isUnlocked).toBe(false);
    expect(world.recorded[0]).toMatchObject({ kind: 'deny', reason: 'unknown_credential' });
  });

  it('uses the rule selected by a code before it, and none while the code is incomplete', async () => {
    const rules = [{ code: '12', gadget_id: 'gad_door', action_id: 'open' }];
    const world = await DoorHarness.open(annsPhone(null, rules));
    world.press('1');
    await world.reader.tapPhone(token);
    expect(world.recorded[0]).toMatchObject({ kind: 'deny', reason: 'no_input_rule', subject: anns });
    world.press('12');
    await world.reader.tapPhone(token);
    expect(world.isUnlocked).toBe(true);
  });

  it('without a token is ignored', async () => {
    const world = await DoorHarness.open(annsPhone());
    expect(await world.reader.tapPhone('lmt_nonsense')).toBe(false);
    expect(world.recorded).toEqual([]);
  });
});
