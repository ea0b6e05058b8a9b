import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { DeviceId, GadgetId, GadgetTriggerId, MemberId } from '@lintel/access-core/ids';
import { snapshotEntrySchema } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { createSimulatedWiring } from '@lintel/simulator/virtual-hardware/simulated-wiring';
import { toApprovedActionFields } from '../actions/action-executor.ts';
import { createSingleDoorSnapshot, DoorHarness } from '../testing/door-harness.ts';
import { createGadgetEntry } from '../testing/snapshot-entries.ts';
import { DoorWithFakeBridge } from '../testing/door-with-fake-bridge.ts';

const target = { gadget_id: 'gad_door' as GadgetId, action_id: 'open' };
const order = { ...toApprovedActionFields(target), subject: null };
const reader = { reader_device_id: 'dev_peer' as DeviceId, peer_request: '' };
const technician = { pass_id: null, user_id: null };
const failed = { outcome: 'failed', reason: 'Internal error: TypeError: a defect in a driver' };

/** A defect, which is not the failure that a driver may report. */
const breakOutput = ({ outputs }: DoorHarness, broken: string): void => {
  const energize = outputs.energize.bind(outputs);
  outputs.energize = (output, pulse_ms) => {
    if (output === broken) throw new TypeError('a defect in a driver');
    energize(output, pulse_ms);
  };
};
const brokenDoor = async (): Promise<DoorHarness> => {
  const world = await DoorHarness.open();
  breakOutput(world, 'strike-0');
  return world;
};
const internalFaults = ({ controller }: DoorHarness): string[] =>
  controller
    .faults()
    .filter(({ code }) => code === 'internal')
    .map(({ message }) => message);

describe('internal error in a turn', () => {
  it('fails the action and is recorded as an internal fault', async () => {
    const world = await brokenDoor();
    expect(world.controller.execute(order)).toEqual({ ...failed, event: null });
    expect(internalFaults(world)).toEqual([failed.reason]);
    expect(world.recorded.at(-1)).toMatchObject({ kind: 'fault', fault: `internal: ${failed.reason}` });
  });

  it('fails the action even when the fault cannot be recorded', async () => {
    const world = await DoorHarness.open(createSingleDoorSnapshot(), {
      onEventRecorded: event => {
        if (event.kind !== 'state') throw new Error('a defect in the log');
      },
    });
    expect(world.controller.execute(order)).toMatchObject({ outcome: 'failed', event: null });
    expect(internalFaults(world)).toHaveLength(1);
  });

  it('leaves the output unswitched for the next action too', async () => {
    const world = await brokenDoor();
    world.controller.execute(order);
    expect(world.controller.execute(order)).toMatchObject({ outcome: 'failed', event: { kind: 'fault' } });
  });

  it('does not stop the next turn', async () => {
    const world = await brokenDoor();
    world.controller.execute(order);
    expect(world.controller.execute({ ...order, gadget_action_id: 'lock' }).outcome).toBe('done');
  });

  it('is answered to the bridge as a failed action', async () => {
    const world = await DoorWithFakeBridge.connected();
    breakOutput(world.door, 'strike-0');
    world.bridge.send('action', {
      v: 1,
      request_id: 'r1',
      session_nonce: world.bridge.nonce,
      deadline_ms: 5_000,
      ...target,
      subject: { access_method: 'online' },
    });
    expect(world.bridge.received('action-result')).toMatchObject([{ request_id: 'r1', ...failed, event_id: null }]);
  });

  it.each(['pin', 'card'])('refuses at the reader unit: %s', async credential => {
    const world = await brokenDoor();
    const shown: unknown[] = [];
    world.controller.technician.live.listen(message => shown.push(message));
    if (credential === 'pin') world.press('2580');
    else world.reader.tap('04a1b2c3');
    expect(shown).toContainEqual(expect.objectContaining({ type: 'feedback', kind: 'refused' }));
    expect(internalFaults(world)).toEqual([failed.reason]);
  });

  it('fails the requests of peers', async () => {
    const world = await brokenDoor();
    const member = { id: 'mem_ann' as MemberId, access_method: 'pin', subject: { access_method: 'pin' } } as const;
    expect(world.controller.executeForPeer(reader, target, member)).toEqual({ ...failed, event: null });
  });

  it('fails the triggers of peers', async () => {
    const world = await brokenDoor();
    const trigger = { id: 'gtr_1' as GadgetTriggerId, depth: 1 };
    expect(world.controller.executeForTrigger(reader, target, trigger)).toEqual({ ...failed, event: null });
  });

  it('denies a peer although the denial cannot be recorded', async () => {
    const world = await DoorHarness.open(createSingleDoorSnapshot(), {
      onEventRecorded: event => {
        if (event.kind === 'deny') throw new Error('a defect in the log');
      },
    });
    const member = { id: 'mem_eve' as MemberId, access_method: 'pin', subject: { access_method: 'pin' } } as const;
    expect(world.controller.executeForPeer(reader, target, member)).toMatchObject({
      outcome: 'denied',
      event_id: null,
    });
  });

  it('fails the tests of a technician', async () => {
    const world = await DoorHarness.open();
    for (const output of ['red', 'green', 'buzzer']) breakOutput(world, output);
    const { technician: actions } = world.controller;
    expect(actions.pulseOutput('red', 500, technician)).toEqual({ outcome: 'failed', message: failed.reason });
    const [station] = actions.stations();
    expect(actions.playFeedback(station!.id, 'granted')).toEqual({ outcome: 'failed', message: failed.reason });
  });

  it('in the record of an unreachable gadget is an internal fault, not an unhandled rejection', async () => {
    const trigger = snapshotEntrySchema.parse({
      type: 'gadget_trigger',
      id: 'gtr_1',
      site_id: 'site_1',
      source_type: 'state',
      source_gadget_id: 'gad_door',
      source_state_id: 'unlocked',
      source_signal_id: null,
      source_schedule_id: null,
      source_schedule_event: null,
      target_gadget_id: 'gad_far',
      target_action_id: 'open',
    });
    const entries = [
      ...createSingleDoorSnapshot().filter(({ type }) => type !== 'gadget'),
      createGadgetEntry({ id: 'gad_door', states: ['locked', 'unlocked'] }),
      createGadgetEntry({ id: 'gad_far', device_id: 'dev_peer', created_at: 2 }),
      trigger,
    ];
    const world = await DoorHarness.open(entries, {
      wiring: createSimulatedWiring({ keypad: null, reader: null }),
      onEventRecorded: ({ fault }) => {
        if (fault === 'gadget_unreachable') throw new Error('a defect in the log');
      },
    });
    world.controller.execute(order);
    await setImmediate();
    expect(world.peerRequests).toHaveLength(1);
    expect(internalFaults(world)).toEqual(['Internal error: Error: a defect in the log']);
  });
});
