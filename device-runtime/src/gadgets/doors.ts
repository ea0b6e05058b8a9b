import type { DoorInput } from '@lintel/access-core/door/door-machine';
import { startDoor } from '@lintel/access-core/door/door-machine';
import type { DoorState } from '@lintel/access-core/door/door-state';
import { type Doors, doorsMachine, nextDoorsDeadline } from '@lintel/access-core/door/interlocked-doors';
import type { Monotonic } from '@lintel/access-core/monotonic';
import type { Plan, Told } from './gadget-effects.ts';
import type { DoorWiring } from '@lintel/drivers/ports/wiring';

export type DoorModes = Readonly<Record<string, DoorState['mode']>>;

/** The doors of this controller, moved through the one machine that knows them all. */
export class DoorBank {
  #doors: Doors = new Map();

  /** A door that is new here starts in the mode that was kept for it. */
  add(id: string, { config }: DoorWiring, mode: DoorState['mode'], now: Monotonic): readonly Told[] {
    const { state, effects } = startDoor(config, mode, now);
    this.#doors = new Map(this.#doors).set(id, { config, state });
    return effects.map(effect => ({ gadget_id: id, effect }));
  }

  remove(id: string): readonly Told[] {
    const doors = new Map(this.#doors);
    if (!doors.delete(id)) return [];
    this.#doors = doors;
    return [{ gadget_id: id, effect: { type: 'release_strike' } }];
  }

  plan(id: string, input: DoorInput, now: Monotonic): Plan {
    const { doors, effects } = doorsMachine(this.#doors, id, input, now);
    const refused = effects.map(({ effect }) => effect).find(effect => effect.type === 'refused');
    return {
      told: effects.map(({ door, effect }) => ({ gadget_id: door, effect })),
      refusal: refused?.message ?? null,
      commit: () => {
        this.#doors = doors;
      },
    };
  }

  deadline(): Monotonic | null {
    return nextDoorsDeadline(this.#doors);
  }

  modes(): DoorModes {
    return Object.fromEntries([...this.#doors].map(([id, { state }]) => [id, state.mode]));
  }

  ids(): Iterable<string> {
    return this.#doors.keys();
  }
}
