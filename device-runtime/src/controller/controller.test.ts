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
import type { RevocationMqttMessage } from '@lintel/wire-protocol/mqtt/messages/revocation';
import { snapshotEntrySchema } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import {
  createDeviceEntry,
  createGadgetEntry,
  createMemberGroupEntry,
  createMemberEntry,
  createSiteEntry,
  createSnapshotChunk,
} from '../testing/snapshot-entries.ts';
import {
  createSingleDoorSnapshot,
  testCredentialDigester,
  DoorHarness,
  testDataAuthenticator,
} from '../testing/door-harness.ts';
import { SqliteSnapshotStore } from '../snapshot/store/sqlite-snapshot-store.ts';
import { createSimulatedWiring } from '@lintel/simulator/virtual-hardware/simulated-wiring';
import { toApprovedActionFields } from '../actions/action-executor.ts';
import type { DoorWiring, Wiring } from '@lintel/drivers/interfaces';

const target = { gadget_id: 'gad_door' as GadgetId, action_id: 'open' };
const open = toApprovedActionFields(target);

const door = (states: readonly string[] = [], signals: readonly string[] = []) => [
  ...createSingleDoorSnapshot().filter(entry => entry.type !== 'gadget'),
  createGadgetEntry({ id: 'gad_door', states, signals }),
];

describe('Controller', () => {
  describe('door', () => {
    it('unlocks at once on the exit button and reports the signal afterwards', async () => {
      const world = await DoorHarness.open(door([], ['exit_button']));
      world.inputs.press('exit-0');
      expect(world.timeline).toEqual(['strike-0 on', 'signal exit_button']);
    });

    it('reports its states under the configured names, after the relay has switched', async () => {
      const world = await DoorHarness.open(door(['closed', 'open']));
      world.press('2580');
      world.inputs.set('contact-0', 'active');
      world.inputs.set('contact-0', 'inactive');
      const reported = world.timeline.filter(line => !line.startsWith('buzzer') && !line.startsWith('green'));
      expect(reported).toEqual(['use', 'strike-0 on', 'state open', 'state closed']);
      expect(world.controller.gadgetStates()).toMatchObject([{ gadget_id: 'gad_door', state_id: 'closed' }]);
    });

    it('always reports forced open and held open, with the time of occurrence', async () => {
      const world = await DoorHarness.open();
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

    it('restores a permanent unlock after a restart, but does not unlock a locked door', async () => {
      const before = await DoorHarness.open();
      before.controller.execute({ ...open, gadget_action_id: 'unlock', subject: { access_method: 'online' } });
      const after = await DoorHarness.open(createSingleDoorSnapshot(), { state: before.state });
      expect(after.outputs.isOn('strike-0')).toBe(true);
      after.controller.execute({ ...open, gadget_action_id: 'lock', subject: null });
      expect(after.outputs.isOn('strike-0')).toBe(false);
      const last = await DoorHarness.open(createSingleDoorSnapshot(), { state: before.state });
      expect(last.outputs.isOn('strike-0')).toBe(false);
    });
  });

  describe('gadget without wiring', () => {
    it('fails an action, with a fault event', async () => {
      const world = await DoorHarness.open();
      const done = world.controller.execute({ ...open, gadget_action_id: 'ring', subject: null });
      expect(done).toMatchObject({ outcome: 'failed', event: { kind: 'fault' } });
      expect(world.kinds()).toEqual(['fault']);
    });
  });

  describe('interlock', () => {
    const interlocked = (parts: Parameters<typeof createSimulatedWiring>[0]): Wiring => {
      const plain = createSimulatedWiring(parts);
      return {
        ...plain,
        gadget: (gadget, place, own) => {
          const wiring = plain.gadget(gadget, place, own) as DoorWiring;
          return { ...wiring, config: { ...wiring.config, interlock_group: 'lock' } };
        },
      };
    };

    it('denies the second door with a reason and without a use event, and unlocks it once the first is closed', async () => {
      const entries = [...createSingleDoorSnapshot(), createGadgetEntry({ id: 'gad_inner', created_at: 2 })];
      const parts = { keypad: null, reader: null };
      const world = await DoorHarness.open(entries, { wiring: interlocked(parts) });
      const inner = { gadget_id: 'gad_inner' as GadgetId, gadget_action_id: 'open', subject: null };
      expect(world.controller.execute({ ...open, subject: null }).outcome).toBe('done');
      expect(world.controller.execute(inner)).toMatchObject({ outcome: 'interlocked', event: { kind: 'fault' } });
      expect(world.outputs.isOn('strike-1')).toBe(false);
      world.clock.advance(5_000);
      expect(world.controller.execute(inner).outcome).toBe('done');
      expect(world.kinds().filter(kind => kind === 'use')).toHaveLength(2);
    });
  });

  describe('revocation', () => {
    const nothing = {
      v: 1,
      revision: 5,
      member_ids: [],
      member_pin_ids: [],
      member_card_ids: [],
      member_token_ids: [],
      member_group_association_ids: [],
    } satisfies RevocationMqttMessage;

    it('of a credential takes effect at once, for that credential only, and survives a restart', async () => {
      const world = await DoorHarness.open();
      world.controller.revoke({ ...nothing, member_pin_ids: ['mp_mem_ann-4' as MemberPinId] });
      world.press('2580');
      world.reader.tap('04a1b2c3');
      expect(world.recorded.map(({ kind, reason }) => reason ?? kind)).toEqual(['unknown_credential', 'use']);
      const again = await DoorHarness.open(createSingleDoorSnapshot(), { state: world.state });
      again.press('2580');
      expect(again.kinds()).toEqual(['deny']);
    });

    it('of a member or of one membership leaves other credentials valid', async () => {
      const two = [
        ...createSingleDoorSnapshot().slice(0, 4),
        createMemberGroupEntry('mg_more', [{ gadget_id: 'gad_door' }]),
      ];
      const world = await DoorHarness.open([
        ...two,
        createMemberEntry(testCredentialDigester, 'mem_ann', { pins: ['2580'], groups: ['mg_all', 'mg_more'] }),
      ]);
      const association = (index: number): RevocationMqttMessage => ({
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

    it('is dropped when a snapshot contains it', async () => {
      const world = await DoorHarness.open();
      world.controller.revoke({ ...nothing, revision: 2, member_pin_ids: ['mp_mem_ann-4' as MemberPinId] });
      await world.serve(createSingleDoorSnapshot());
      world.press('2580');
      expect(world.kinds()).toEqual(['use']);
      world.controller.revoke({ ...nothing, revision: 2, member_pin_ids: ['mp_mem_ann-4' as MemberPinId] });
      world.press('2580');
      expect(world.kinds()).toEqual(['use', 'use']);
    });
  });

  describe('snapshot', () => {
    it('with digests of another key is rejected', async () => {
      const world = await DoorHarness.open();
      expect(await world.controller.receiveSnapshot(createSnapshotChunk([], 9, 'another'))).toMatchObject({
        reason: 'wrong_key',
      });
      world.press('2580');
      expect(world.kinds()).toEqual(['use']);
    });
  });

  describe('request from another controller', () => {
    it('is decided again by the local snapshot and leaves one event that names both controllers', async () => {
      const world = await DoorHarness.open();
      const reader = 'dev_reader' as DeviceId;
      const member = (id: string) => ({
        id: id as MemberId,
        access_method: 'pin' as const,
        subject: { member_id: id as MemberId },
      });
      expect(
        world.controller.executeForPeer({ reader_device_id: reader, peer_request: 'cA' }, target, member('mem_ann')),
      ).toMatchObject({ outcome: 'done' });
      expect(
        world.controller.executeForPeer({ reader_device_id: reader, peer_request: 'cA' }, target, member('mem_joe')),
      ).toMatchObject({ outcome: 'denied' });
      expect(world.recorded).toMatchObject([
        { kind: 'use', reader_device_id: reader, peer_request: 'cA', subject: { member_id: 'mem_ann' } },
        { kind: 'deny', reader_device_id: reader, gadget_id: 'gad_door' },
      ]);
      expect(world.isUnlocked).toBe(true);
    });
  });

  describe('trigger', () => {
    const trigger = (fields: object) =>
      snapshotEntrySchema.parse({
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
    const light = createGadgetEntry({ id: 'gad_light', created_at: 2, actions: ['on', 'off'], states: ['on', 'off'] });

    it('turns the light on when the door opens, with an event that names the trigger', async () => {
      const world = await DoorHarness.open([...door(['closed', 'open']), light, trigger({})]);
      world.press('2580');
      world.inputs.set('contact-0', 'active');
      expect(world.outputs.isOn('output-1')).toBe(true);
      expect(world.recorded.find(({ gadget_id, kind }) => gadget_id === 'gad_light' && kind === 'use')).toMatchObject({
        gadget_trigger_id: 'gt_1',
        gadget_action_id: 'on',
      });
    });

    it('for a gadget of another controller is forwarded with its depth', async () => {
      const gate = createGadgetEntry({ id: 'gad_light', device_id: 'dev_other', actions: ['on'] });
      const world = await DoorHarness.open([...door(['closed', 'open']), gate, trigger({})]);
      world.inputs.set('contact-0', 'active');
      expect(world.peerRequests).toMatchObject([
        { gadget_id: 'gad_light', subject: null, trigger: { gadget_trigger_id: 'gt_1', depth: 1 } },
      ]);
    });

    it('chain that loops is stopped with an event', async () => {
      const world = await DoorHarness.open([
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

    it('received from another controller is executed at its depth', async () => {
      const world = await DoorHarness.open([
        ...door(),
        light,
        trigger({ source_gadget_id: 'gad_light', source_state_id: 'on', target_action_id: 'off' }),
      ]);
      const target = { gadget_id: 'gad_light' as GadgetId, action_id: 'on' };
      world.controller.executeForTrigger({ reader_device_id: 'dev_other' as DeviceId, peer_request: 'cA' }, target, {
        id: 'gt_9' as GadgetTriggerId,
        depth: 8,
      });
      expect(world.kinds()).toEqual(['use', 'state', 'trigger_chain_stopped']);
    });

    it('on a schedule fires once when the schedule begins', async () => {
      const afternoon = { ranges: [{ start: 12 * 3600 + 60, end: 14 * 3600 }] };
      const entries = [
        createDeviceEntry(),
        createSiteEntry(),
        light,
        snapshotEntrySchema.parse({
          type: 'schedule',
          id: 'sch_1',
          weekdays: Array.from({ length: 7 }, () => afternoon),
        }),
        trigger({
          source_type: 'schedule',
          source_gadget_id: null,
          source_state_id: null,
          source_schedule_id: 'sch_1',
          source_schedule_event: 'enter',
        }),
      ];
      const world = await DoorHarness.open(entries);
      world.clock.advance(59_000);
      expect(world.outputs.isOn('output-0')).toBe(false);
      world.clock.advance(2_000);
      expect(world.outputs.isOn('output-0')).toBe(true);
      expect(world.kinds().filter(kind => kind === 'use')).toHaveLength(1);
    });
  });

  it('applies a revocation at once while a large snapshot is stored but not active yet', async () => {
    const world = await DoorHarness.open(createSingleDoorSnapshot(), {
      snapshotStore: new SqliteSnapshotStore(':memory:', testDataAuthenticator, { mostListed: 2_000 }),
    });
    const crowd = Array.from({ length: 4_000 }, (_, index) => createMemberGroupEntry(`mg_${index}`, []));
    let isServed = false;
    const taken = world.serve([...createSingleDoorSnapshot(), ...crowd]).then(() => {
      isServed = true;
      return null;
    });
    while (world.controller.storedSnapshot?.revision !== 2) await setImmediate();
    expect(isServed).toBe(false);
    const none = { member_pin_ids: [], member_card_ids: [], member_token_ids: [], member_group_association_ids: [] };
    world.controller.revoke({ v: 1, revision: 2, member_ids: ['mem_ann' as MemberId], ...none });
    world.reader.tap('04a1b2c3');
    expect(world.isUnlocked).toBe(false);
    await taken;
  });
});
