import type { Person, World } from '@lintel/wire-protocol/simulator/world';
import { Floor } from './floor.tsx';

interface BuildingProps {
  readonly world: World;
  readonly who: Person | null;
  readonly hereKey: string;
  readonly goTo: (door: string) => void;
}

/** The house, one floor for each controller: the street is at the bottom. */
export const Building = ({ world, who, hereKey, goTo }: BuildingProps) => (
  <div class="building card">
    <div class="sky" aria-hidden="true">
      <span class="sign">{world.hotel}</span>
    </div>
    {world.controllers.map(controller => (
      <Floor
        key={controller.key}
        controller={controller}
        doors={world.doors.filter(door => door.controller === controller.key)}
        who={who}
        hereKey={hereKey}
        goTo={goTo}
      />
    ))}
  </div>
);
