import type { MemberMagicLinkId } from '@lintel/access-core/ids';
import { formatMagicLinkUrl, parseMagicLinkQrText } from '@lintel/wire-protocol/guest/magic-link-url';
import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { describe, expect, it } from 'vitest';
import {
  createDeviceEntry,
  createGadgetEntry,
  createMemberGroupEntry,
  createMemberEntry,
  createSiteEntry,
} from '../testing/snapshot-entries.ts';
import { testCredentialDigester, DoorHarness } from '../testing/door-harness.ts';

const token = parseMagicLinkQrText('q7Ns2xRkT0aYpZ-_4mWcVbL9eHfJdGuQ1oIySxK3nE8')!;
const link = formatMagicLinkUrl('https://doors.example.com', token);
const anns = { member_id: 'mem_ann', member_magic_link_id: 'mml_mem_ann-0', access_method: 'online' };

const annsLink = (rule: object = {}, input_rules: readonly object[] = []): SnapshotEntry[] => [
  createDeviceEntry(input_rules),
  createSiteEntry(),
  createGadgetEntry({ id: 'gad_door' }),
  createMemberGroupEntry('mg_all', [{ gadget_id: 'gad_door', ...rule }]),
  createMemberEntry(testCredentialDigester, 'mem_ann', { magicLinks: [token], groups: ['mg_all'] }),
];

describe('QR code of a magic link', () => {
  it('unlocks the door, and the event names method, member and link but not the token', async () => {
    const world = await DoorHarness.open(annsLink());
    expect(world.reader.showQrCode(link)).toBe(true);
    expect(world.isUnlocked).toBe(true);
    expect(world.recorded[0]).toMatchObject({ kind: 'use', gadget_id: 'gad_door', subject: anns });
    expect(JSON.stringify([world.recorded, world.logged])).not.toContain(token);
  });

  it('is granted by rules that allow online access, not by rules that allow only cards', async () => {
    const allowed = await DoorHarness.open(annsLink({ access_methods: { online: true } }));
    allowed.reader.showQrCode(link);
    expect(allowed.isUnlocked).toBe(true);
    const world = await DoorHarness.open(annsLink({ access_methods: { card: true } }));
    world.reader.showQrCode(link);
    expect(world.isUnlocked).toBe(false);
    expect(world.recorded[0]).toMatchObject({ kind: 'deny', reason: 'method_not_allowed', subject: anns });
  });

  it('counts as presence at the site', async () => {
    const world = await DoorHarness.open(annsLink({ presence: 'gps' }));
    world.reader.showQrCode(link);
    expect(world.isUnlocked).toBe(true);
  });

  it('with an unknown token is denied', async () => {
    const world = await DoorHarness.open(annsLink());
    world.reader.showQrCode(link.replace('q7N', 'q7M'));
    expect(world.isUnlocked).toBe(false);
    const subject = { access_method: 'online' };
    expect(world.recorded[0]).toMatchObject({ kind: 'deny', reason: 'unknown_credential', subject });
  });

  it('is denied as soon as the link is revoked', async () => {
    const world = await DoorHarness.open(annsLink());
    world.controller.revoke({
      v: 1,
      revision: 2,
      member_ids: [],
      member_pin_ids: [],
      member_card_ids: [],
      member_token_ids: [],
      member_magic_link_ids: ['mml_mem_ann-0' as MemberMagicLinkId],
      member_group_association_ids: [],
    });
    world.reader.showQrCode(link);
    expect(world.isUnlocked).toBe(false);
    expect(world.recorded[0]).toMatchObject({ kind: 'deny', reason: 'unknown_credential' });
  });

  it('uses the rule selected by a code before it, and none while the code is incomplete', async () => {
    const rules = [{ code: '12', gadget_id: 'gad_door', action_id: 'open' }];
    const world = await DoorHarness.open(annsLink({}, rules));
    world.press('1');
    world.reader.showQrCode(link);
    expect(world.recorded[0]).toMatchObject({ kind: 'deny', reason: 'no_input_rule', subject: anns });
    world.press('12');
    world.reader.showQrCode(link);
    expect(world.isUnlocked).toBe(true);
  });
});
