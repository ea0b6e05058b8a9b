import type { GadgetId } from '@lintel/access-core/ids';
import { beforeEach, describe, expect, it } from 'vitest';
import { SimulatedOutputs } from '@lintel/simulator/virtual-hardware/simulated-outputs';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { CombinedOutputs } from '@lintel/drivers/testing/parts';
import { OutputLineError } from '@lintel/drivers/interfaces';
import { createSingleDoorSnapshot, DoorHarness } from '@lintel/device-runtime/testing';

const GONE = { kind: 'absent', message: 'the relay board is gone' } as const;
const doorOf = (gadget_action_id: string) => ({
  gadget_id: 'gad_door' as GadgetId,
  gadget_action_id,
  subject: null,
});

/** The strike on one board, the lights and the buzzer on another. */
const boardsOf = () => {
  const clock = new VirtualClock();
  const [locks, lights] = [new SimulatedOutputs(clock), new SimulatedOutputs(clock)];
  const boards = new Map([
    ['locks', locks],
    ['lights', lights],
  ]);
  return { locks, lights, outputs: new CombinedOutputs(boards, new Map([['strike-0', 'locks']]), 'lights') };
};

let boards: ReturnType<typeof boardsOf>;
let world: DoorHarness;
const codes = (): string[] => world.controller.faults().map(({ code }) => code);

beforeEach(async () => {
  boards = boardsOf();
  world = await DoorHarness.open(createSingleDoorSnapshot(), { outputs: boards.outputs });
});

describe('gadgets whose outputs fail', () => {
  describe('door with a missing relay board', () => {
    it('is not reported as unlocked: the event names the member and the fault', () => {
      boards.locks.fail(GONE);
      world.recorded.length = 0;
      world.press('2580');
      expect(world.recorded).toMatchObject([
        {
          kind: 'fault',
          fault: 'output strike-0: the relay board is gone',
          gadget_id: 'gad_door',
          gadget_action_id: 'open',
          subject: { member_id: 'mem_ann', access_method: 'pin' },
        },
      ]);
    });

    it('shows red at the reader', () => {
      const shown: string[] = [];
      boards.lights.onChange(({ output, on }) => shown.push(`${output} ${on ? 'on' : 'off'}`));
      boards.locks.fail(GONE);
      world.press('2580');
      expect(shown).toContain('red on');
      expect(shown).not.toContain('green on');
    });

    it('reports each action as failed, even if no output would have to change', () => {
      expect(world.controller.execute(doorOf('unlock')).outcome).toBe('done');
      boards.locks.fail(GONE);
      for (const action of ['open', 'unlock'])
        expect(world.controller.execute(doorOf(action))).toMatchObject({ outcome: 'failed', event: { kind: 'fault' } });
      expect(world.kinds().filter(kind => kind === 'use')).toHaveLength(1);
    });

    it('remembers that it should be locked', () => {
      world.controller.execute(doorOf('unlock'));
      boards.locks.fail(GONE);
      expect(world.controller.execute(doorOf('lock')).outcome).toBe('failed');
      expect(world.state.read('door_modes')).toEqual({ gad_door: 'normal' });
    });

    it('unlocks again when the board is back', () => {
      boards.locks.fail(GONE);
      world.press('2580');
      boards.locks.fail(null);
      expect(codes()).toEqual([]);
      world.press('2580');
      expect(boards.locks.isOn('strike-0')).toBe(true);
      expect(world.kinds().at(-1)).not.toBe('fault');
    });
  });

  it('report a relay fault that appears only on switching beside the event, and the action as failed', () => {
    boards.locks.energize = () => {
      throw new OutputLineError('input or output error');
    };
    expect(world.controller.execute(doorOf('open'))).toMatchObject({ outcome: 'failed' });
    expect(world.kinds().filter(kind => kind !== 'state')).toEqual(['use', 'fault', 'fault']);
    expect(codes()).toEqual(['output:strike-0']);
  });

  it("clear the faults of a board's own outputs only when it comes back", () => {
    world.controller.execute(doorOf('unlock'));
    boards.locks.fail(GONE);
    boards.lights.fail(GONE);
    world.controller.execute(doorOf('lock'));
    world.press('9999#');
    expect(codes()).toEqual(
      expect.arrayContaining(['output:strike-0', 'output:red', 'outputs:locks', 'outputs:lights']),
    );
    boards.lights.fail(null);
    expect(codes()).toEqual(['outputs:locks', 'output:strike-0']);
    boards.locks.fail(null);
    expect(codes()).toEqual([]);
  });
});
