import { type DoorInput, createInitialDoorStep } from '@lintel/access-core/door/door-machine';
import type { DoorState } from '@lintel/access-core/door/door-state';
import { type ControllerDoors, stepDoors, nextDoorsDeadline } from '@lintel/access-core/door/interlocked-doors';
import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { GadgetActionPlan, GadgetCommand } from './gadget-action-plan-types.ts';
import type { DoorWiring } from '@lintel/drivers/interfaces';

export type DoorModeByGadgetId = Readonly<Record<string, DoorState['mode']>>;

/** The state machines of all doors of this controller. */
export class DoorStateMachines {
  #doors: ControllerDoors = new Map();

  /** A new door starts in its saved mode. */
  add(id: string, { config }: DoorWiring, mode: DoorState['mode'], now: MonotonicTime): readonly GadgetCommand[] {
    const { state, effects } = createInitialDoorStep(config, mode, now);
    this.#doors = new Map(this.#doors).set(id, { config, state });
    return effects.map(effect => ({ gadget_id: id, effect }));
  }

  remove(id: string): readonly GadgetCommand[] {
    const doors = new Map(this.#doors);
    if (!doors.delete(id)) return [];
    this.#doors = doors;
    return [{ gadget_id: id, effect: { type: 'release_strike' } }];
  }

  plan(id: string, input: DoorInput, now: MonotonicTime): GadgetActionPlan {
    const { doors, effects } = stepDoors(this.#doors, id, input, now);
    const refused = effects.map(({ effect }) => effect).find(effect => effect.type === 'refused');
    return {
      commands: effects.map(({ door, effect }) => ({ gadget_id: door, effect })),
      interlockReason: refused?.message ?? null,
      commit: () => {
        this.#doors = doors;
      },
    };
  }

  deadline(): MonotonicTime | null {
    return nextDoorsDeadline(this.#doors);
  }

  modes(): DoorModeByGadgetId {
    return Object.fromEntries([...this.#doors].map(([id, { state }]) => [id, state.mode]));
  }

  ids(): Iterable<string> {
    return this.#doors.keys();
  }
}
