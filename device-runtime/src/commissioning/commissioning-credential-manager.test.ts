import type { InputRule } from '@lintel/access-core/input-rules';
import type { CardUid } from '@lintel/wire-protocol/rest/card-uid';
import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDeviceEntry,
  createGadgetEntry,
  createMemberGroupEntry,
  createMemberEntry,
  createSiteEntry,
} from '../testing/snapshot-entries.ts';
import { testCredentialDigester, DoorHarness } from '../testing/door-harness.ts';
import { MemoryState } from '@lintel/test/support/memory-state-store';
import type { ControllerDependencies } from '../controller/controller-assembly.ts';

const tina = { pass_id: 'pass_1', user_id: 'usr_tina' as never };
const rule = (code: string, gadget_id: string): InputRule => ({
  code,
  gadget_id: gadget_id as never,
  action_id: 'open',
});
const CARD = '04aabbcc' as CardUid;
const QUARTER_HOUR_MS = 900_000;

const entries = (rules: readonly InputRule[], pins = ['2580']): SnapshotEntry[] => [
  createDeviceEntry(rules),
  createSiteEntry(),
  createGadgetEntry({ id: 'gad_door' }),
  createGadgetEntry({ id: 'gad_garage', device_id: 'dev_other', created_at: 2 }),
  createMemberGroupEntry('mg_all', [{}]),
  createMemberEntry(testCredentialDigester, 'mem_ann', { pins, cards: ['04a1b2c3'], groups: ['mg_all'] }),
];

let world: DoorHarness;
const randomBytes = (count: number): Uint8Array =>
  Uint8Array.from({ length: count }, (_, at) => [4, 7, 1, 1, 0, 8][at % 6]!);
const open = async (
  state = new MemoryState(),
  served = entries([rule('', 'gad_door'), rule('*2', 'gad_garage')]),
  changes: Partial<ControllerDependencies> = {},
) => {
  world = await DoorHarness.open(served, { ...changes, state, randomBytes });
};
const commissioning = () => world.controller.technician.commissioning;
const reported = (kind: string) => world.recorded.filter(one => one.kind === kind);

beforeEach(() => open());

describe('commissioning credential', () => {
  it('can be a PIN that unlocks at its last digit, with an event that names the technician and the test', () => {
    expect(commissioning().createPin(tina)).toBe('471108');
    world.press('47110');
    expect(world.isUnlocked).toBe(false);
    world.press('8');
    expect(world.isUnlocked).toBe(true);
    expect(reported('use')).toMatchObject([
      {
        subject: { user_id: 'usr_tina', access_method: 'pin' },
        gadget_id: 'gad_door',
        detail: 'commissioning (technician, pass pass_1)',
      },
    ]);
    expect(commissioning().current).toMatchObject({ kind: 'pin', uses: 1, left_ms: QUARTER_HOUR_MS });
    expect(reported('commissioning_made')).toMatchObject([{ subject: { user_id: 'usr_tina' } }]);
    expect(JSON.stringify([world.recorded, world.logged, world.state.read('commissioning')])).not.toContain('471108');
  });

  it('has no user under the setup code, and its events are still marked as a test', () => {
    commissioning().createPin({ pass_id: null, user_id: null });
    world.press('471108');
    expect(reported('use')).toMatchObject([
      { subject: { access_method: 'pin' }, detail: 'commissioning (technician, setup code)' },
    ]);
    expect(reported('use')[0]?.subject).not.toHaveProperty('user_id');
  });

  it('can be an unknown card, but never the card of a member', () => {
    expect(commissioning().createCard('04a1b2c3' as CardUid, '••c3', tina)).toBe(false);
    expect(commissioning().createCard(CARD, '••••••cc', tina)).toBe(true);
    world.reader.tap(CARD);
    expect(world.isUnlocked).toBe(true);
    expect(reported('use')).toMatchObject([{ subject: { user_id: 'usr_tina', access_method: 'card' } }]);
  });

  it('expires after 15 minutes of monotonic time', () => {
    commissioning().createPin(tina);
    world.clock.advance(QUARTER_HOUR_MS - 1);
    world.press('471108');
    expect(world.isUnlocked).toBe(true);
    world.clock.advance(1);
    expect(commissioning().current).toBeNull();
    expect(reported('commissioning_ended')).toMatchObject([{ detail: expect.stringMatching(/^expired/) }]);
    world.clock.advance(60_000);
    world.press('471108#');
    expect(reported('deny')).toMatchObject([{ reason: 'unknown_credential' }]);
  });

  it('ends on request, when another one replaces it, and on restart', async () => {
    const state = new MemoryState();
    await open(state);
    commissioning().createPin(tina);
    commissioning().createCard(CARD, '••••••cc', tina);
    world.press('471108#');
    expect(world.isUnlocked).toBe(false);
    expect([commissioning().end(tina), commissioning().end(tina)]).toEqual([true, false]);
    expect(reported('commissioning_ended').map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^replaced/),
      expect.stringMatching(/^asked for/),
    ]);
    commissioning().createPin(tina);
    const recorded: unknown[] = [];
    const next = DoorHarness.closed({ state, onEventRecorded: event => void recorded.push(event) });
    next.controller.start();
    expect(recorded).toContainEqual(
      expect.objectContaining({ kind: 'commissioning_ended', detail: expect.stringMatching(/^restart/) }),
    );
    expect(next.controller.technician.commissioning.current).toBeNull();
  });

  it('does not act on gadgets of other controllers, which do not know it', () => {
    commissioning().createPin(tina);
    world.press('*2471108');
    expect(world.peerRequests).toEqual([]);
    expect(reported('deny')).toMatchObject([
      { reason: 'no_matching_rule', gadget_id: 'gad_garage', subject: { user_id: 'usr_tina' } },
    ]);
  });

  it('waits for the longer PIN when it and a later member PIN are prefixes of one another', async () => {
    commissioning().createPin(tina);
    await world.serve(entries([rule('', 'gad_door')], ['4711']));
    world.press('4711');
    expect(world.isUnlocked).toBe(false);
    world.press('08');
    expect(reported('use')).toMatchObject([{ subject: { user_id: 'usr_tina' } }]);
    world.clock.advance(30_000);
    world.press('4711');
    world.clock.advance(3_000);
    expect(reported('use').at(-1)).toMatchObject({ subject: { member_id: 'mem_ann' } });
  });

  it('gives way to a member who later gets the same digits', async () => {
    commissioning().createPin(tina);
    await world.serve(entries([rule('', 'gad_door')], ['471108']));
    world.press('471108');
    expect(reported('use')).toMatchObject([{ subject: { member_id: 'mem_ann' } }]);
  });

  it('ends when the controller is claimed for another organization', () => {
    world.controller.setOwner({ organization_id: 'org_1', device_id: 'dev_own' });
    commissioning().createPin(tina);
    world.controller.setOwner({ organization_id: 'org_2', device_id: 'dev_own' });
    expect(commissioning().current).toBeNull();
  });

  it('is denied when the profile rejects a snapshot of this age, as a member would be', async () => {
    await open(new MemoryState(), entries([rule('', 'gad_door')]), { snapshotRefusedAfterMs: 60_000 });
    world.controller.confirmSnapshot();
    world.clock.advance(120_000);
    commissioning().createPin(tina);
    world.press('471108');
    expect([world.isUnlocked, reported('deny')]).toMatchObject([false, [{ reason: 'unknown_credential' }]]);
  });
});
