import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type {
  DeviceId,
  GadgetId,
  GadgetTriggerId,
  MemberId,
  MemberPinId,
  GroupAssociationId,
} from '@lintel/access-core/ids';
import type { Revoke } from '@lintel/wire-protocol/mqtt/messages/revoke';
import { sliceEntry } from '@lintel/wire-protocol/mqtt/slice-entry';
import { deviceEntry, gadgetEntry, groupEntry, memberEntry, siteEntry, snapshotOf } from '../testing/door-entries.ts';
import { annsDoor, digests, DoorWorld } from '../testing/door-world.ts';
import { simulatedWiring } from '../adapters/simulated/simulated-wiring.ts';
import { aimedAt } from './performer.ts';
import type { DoorWiring, Wiring } from './wiring.ts';

const target = { gadget_id: 'gad_door' as GadgetId, action_id: 'open' };
const open = aimedAt(target);

const door = (states: readonly string[] = [], signals: readonly string[] = []) => [
  ...annsDoor().filter(entry => entry.type !== 'gadget'),
  gadgetEntry({ id: 'gad_door', states, signals }),
];

describe('the door itself', () => {
  it('opens for the exit button at once and tells it as a signal afterwards', async () => {
    const world = await DoorWorld.open(door([], ['exit_button']));
    world.inputs.press('exit-0');
    expect(world.story).toEqual(['strike-0 on', 'signal exit_button']);
  });

  it('tells its states where the desk has names for them, after the relay has moved', async () => {
    const world = await DoorWorld.open(door(['closed', 'open']));
    world.press('2580');
    world.inputs.set('contact-0', 'active');
    world.inputs.set('contact-0', 'inactive');
    const told = world.story.filter(line => !line.startsWith('buzzer') && !line.startsWith('green'));
    expect(told).toEqual(['use', 'strike-0 on', 'state open', 'state closed']);
    expect(world.controller.gadgetStates()).toMatchObject([{ gadget_id: 'gad_door', state_id: 'closed' }]);
  });

  it('that is forced or held open is told in any case, with the time at which it happened', async () => {
    const world = await DoorWorld.open();
    world.inputs.set('contact-0', 'active');
    expect(world.recorded).toMatchObject([{ kind: 'signal', gadget_signal_id: 'forced' }]);
    expect(world.outputs.isOn('buzzer')).toBe(true);
    world.inputs.set('contact-0', 'inactive');
    expect(world.outputs.isOn('buzzer')).toBe(false);
    world.press('2580');
    const opened = world.time.now();
    world.inputs.set('contact-0', 'active');
    world.clock.advance(30_000);
    expect(world.recorded.at(-1)).toMatchObject({ gadget_signal_id: 'held_open', occurred_at: opened + 30_000 });
  });

  it('that was unlocked for good is unlocked again after a restart, and a locked one is not', async () => {
    const before = await DoorWorld.open();
    before.controller.execute({ ...open, gadget_action_id: 'unlock', subject: { access_method: 'online' } });
    const after = await DoorWorld.open(annsDoor(), { state: before.state });
    expect(after.outputs.isOn('strike-0')).toBe(true);
    after.controller.execute({ ...open, gadget_action_id: 'lock', subject: null });
    expect(after.outputs.isOn('strike-0')).toBe(false);
    const last = await DoorWorld.open(annsDoor(), { state: before.state });
    expect(last.outputs.isOn('strike-0')).toBe(false);
  });
});

describe('a gadget', () => {
  it('that nothing is wired for answers so, and does not pretend', async () => {
    const world = await DoorWorld.open();
    const done = world.controller.execute({ ...open, gadget_action_id: 'ring', subject: null });
    expect(done).toMatchObject({ outcome: 'failed', event: { kind: 'fault' } });
    expect(world.kinds()).toEqual(['fault']);
  });
});

describe('an airlock', () => {
  const interlocked = (parts: Parameters<typeof simulatedWiring>[0]): Wiring => {
    const plain = simulatedWiring(parts);
    return {
      ...plain,
      gadget: (gadget, place, own) => {
        const wiring = plain.gadget(gadget, place, own) as DoorWiring;
        return { ...wiring, config: { ...wiring.config, interlock_group: 'lock' } };
      },
    };
  };

  it('refuses the second door without a use event, says why, and opens it when the first is shut', async () => {
    const entries = [...annsDoor(), gadgetEntry({ id: 'gad_inner', created_at: 2 })];
    const parts = { keypad: null, reader: null };
    const world = await DoorWorld.open(entries, { wiring: interlocked(parts) });
    const inner = { gadget_id: 'gad_inner' as GadgetId, gadget_action_id: 'open', subject: null };
    expect(world.controller.execute({ ...open, subject: null }).outcome).toBe('done');
    expect(world.controller.execute(inner)).toMatchObject({ outcome: 'interlocked', event: { kind: 'fault' } });
    expect(world.outputs.isOn('strike-1')).toBe(false);
    world.clock.advance(5_000);
    expect(world.controller.execute(inner).outcome).toBe('done');
    expect(world.kinds().filter(kind => kind === 'use')).toHaveLength(2);
  });
});

describe('a revocation', () => {
  const nothing = {
    v: 1,
    revision: 5,
    member_ids: [],
    member_pin_ids: [],
    member_card_ids: [],
    member_token_ids: [],
    member_group_association_ids: [],
  } satisfies Revoke;

  it('of a credential holds at once, for that credential only, and over a restart', async () => {
    const world = await DoorWorld.open();
    world.controller.revoke({ ...nothing, member_pin_ids: ['mp_mem_ann-4' as MemberPinId] });
    world.press('2580');
    world.reader.tap('04a1b2c3');
    expect(world.recorded.map(({ kind, reason }) => reason ?? kind)).toEqual(['unknown_credential', 'use']);
    const again = await DoorWorld.open(annsDoor(), { state: world.state });
    again.press('2580');
    expect(again.kinds()).toEqual(['deny']);
  });

  it('of a member or of one membership leaves what else they have', async () => {
    const two = [...annsDoor().slice(0, 4), groupEntry('mg_more', [{ gadget_id: 'gad_door' }])];
    const world = await DoorWorld.open([
      ...two,
      memberEntry(digests, 'mem_ann', { pins: ['2580'], groups: ['mg_all', 'mg_more'] }),
    ]);
    const association = (index: number): Revoke => ({
      ...nothing,
      member_group_association_ids: [`mga_mem_ann-${index}` as GroupAssociationId],
    });
    world.controller.revoke(association(0));
    world.press('2580');
    world.controller.revoke(association(1));
    world.press('2580');
    world.controller.revoke({ ...nothing, member_ids: ['mem_ann' as MemberId] });
    world.press('2580');
    expect(world.recorded.map(({ kind, reason }) => reason ?? kind)).toEqual(['use', 'no_group', 'member_deleted']);
  });

  it('is forgotten when a slice contains it', async () => {
    const world = await DoorWorld.open();
    world.controller.revoke({ ...nothing, revision: 2, member_pin_ids: ['mp_mem_ann-4' as MemberPinId] });
    await world.serve(annsDoor());
    world.press('2580');
    expect(world.kinds()).toEqual(['use']);
    world.controller.revoke({ ...nothing, revision: 2, member_pin_ids: ['mp_mem_ann-4' as MemberPinId] });
    world.press('2580');
    expect(world.kinds()).toEqual(['use', 'use']);
  });
});

describe('a slice', () => {
  it('that was digested with another key is refused', async () => {
    const world = await DoorWorld.open();
    expect(await world.controller.receiveSlice(snapshotOf([], 9, 'another'))).toMatchObject({ reason: 'wrong_key' });
    world.press('2580');
    expect(world.kinds()).toEqual(['use']);
  });
});

describe('a request of another controller', () => {
  it('is decided again by our own slice and leaves one event that names both', async () => {
    const world = await DoorWorld.open();
    const reader = 'dev_reader' as DeviceId;
    const member = (id: string) => ({
      id: id as MemberId,
      access_method: 'pin' as const,
      subject: { member_id: id as MemberId },
    });
    expect(world.controller.executeForPeer(reader, target, member('mem_ann'))).toMatchObject({ outcome: 'done' });
    expect(world.controller.executeForPeer(reader, target, member('mem_joe'))).toMatchObject({ outcome: 'denied' });
    expect(world.recorded).toMatchObject([
      { kind: 'use', reader_device_id: reader, subject: { member_id: 'mem_ann' } },
      { kind: 'deny', reader_device_id: reader, gadget_id: 'gad_door' },
    ]);
    expect(world.isUnlocked).toBe(true);
  });
});

describe('triggers', () => {
  const trigger = (fields: object) =>
    sliceEntry.parse({
      type: 'gadget_trigger',
      id: 'gt_1',
      site_id: 'site_1',
      source_type: 'state',
      source_gadget_id: 'gad_door',
      source_state_id: 'open',
      source_signal_id: null,
      source_schedule_id: null,
      source_schedule_event: null,
      target_gadget_id: 'gad_light',
      target_action_id: 'on',
      ...fields,
    });
  const light = gadgetEntry({ id: 'gad_light', created_at: 2, actions: ['on', 'off'], states: ['on', 'off'] });

  it('switch the light on when the door opens, with an event that names the trigger', async () => {
    const world = await DoorWorld.open([...door(['closed', 'open']), light, trigger({})]);
    world.press('2580');
    world.inputs.set('contact-0', 'active');
    expect(world.outputs.isOn('output-1')).toBe(true);
    expect(world.recorded.find(({ gadget_id, kind }) => gadget_id === 'gad_light' && kind === 'use')).toMatchObject({
      gadget_trigger_id: 'gt_1',
      gadget_action_id: 'on',
    });
  });

  it('for a gadget of another controller go there with their depth', async () => {
    const gate = gadgetEntry({ id: 'gad_light', device_id: 'dev_other', actions: ['on'] });
    const world = await DoorWorld.open([...door(['closed', 'open']), gate, trigger({})]);
    world.inputs.set('contact-0', 'active');
    expect(world.asked).toMatchObject([
      { gadget_id: 'gad_light', subject: null, trigger: { gadget_trigger_id: 'gt_1', depth: 1 } },
    ]);
  });

  it('that set one another off are stopped with an event', async () => {
    const world = await DoorWorld.open([
      ...door(['closed', 'open']),
      light,
      trigger({}),
      trigger({ id: 'gt_2', source_gadget_id: 'gad_light', source_state_id: 'on', target_action_id: 'off' }),
      trigger({ id: 'gt_3', source_gadget_id: 'gad_light', source_state_id: 'off', target_action_id: 'on' }),
    ]);
    world.inputs.set('contact-0', 'active');
    expect(world.kinds().at(-1)).toBe('trigger_chain_stopped');
    expect(world.kinds().filter(kind => kind === 'use')).toHaveLength(8);
  });

  it('of another controller are performed at their depth', async () => {
    const world = await DoorWorld.open([
      ...door(),
      light,
      trigger({ source_gadget_id: 'gad_light', source_state_id: 'on', target_action_id: 'off' }),
    ]);
    const target = { gadget_id: 'gad_light' as GadgetId, action_id: 'on' };
    world.controller.executeForTrigger('dev_other' as DeviceId, target, { id: 'gt_9' as GadgetTriggerId, depth: 8 });
    expect(world.kinds()).toEqual(['use', 'state', 'trigger_chain_stopped']);
  });

  it('of a schedule fire once when it begins, also when that happened without power', async () => {
    const evening = { ranges: [{ start: 13 * 3600, end: 14 * 3600 }] };
    const entries = [
      deviceEntry(),
      siteEntry(),
      light,
      sliceEntry.parse({ type: 'schedule', id: 'sch_1', weekdays: Array.from({ length: 7 }, () => evening) }),
      trigger({
        source_type: 'schedule',
        source_gadget_id: null,
        source_state_id: null,
        source_schedule_id: 'sch_1',
        source_schedule_event: 'enter',
      }),
    ];
    const world = await DoorWorld.open(entries);
    world.clock.advance(3_599_000);
    expect(world.outputs.isOn('output-0')).toBe(false);
    world.clock.advance(2_000);
    expect(world.outputs.isOn('output-0')).toBe(true);
    expect(world.kinds().filter(kind => kind === 'use')).toHaveLength(1);
  });
});

it('a revocation that comes while a large slice is on the disk and not served yet is in force at once', async () => {
  const world = await DoorWorld.open();
  const crowd = Array.from({ length: 20_001 }, (_, index) => groupEntry(`mg_${index}`, []));
  let isServed = false;
  const taken = world.serve([...annsDoor(), ...crowd]).then(() => {
    isServed = true;
    return null;
  });
  while (world.controller.heldSlice?.revision !== 2) await setImmediate();
  expect(isServed).toBe(false);
  const none = { member_pin_ids: [], member_card_ids: [], member_token_ids: [], member_group_association_ids: [] };
  world.controller.revoke({ v: 1, revision: 2, member_ids: ['mem_ann' as MemberId], ...none });
  world.reader.tap('04a1b2c3');
  expect(world.isUnlocked).toBe(false);
  await taken;
});
