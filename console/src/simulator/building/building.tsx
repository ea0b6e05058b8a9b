import type { DemoPerson, SimulatorState } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import { ControllerFloor } from './controller-floor.tsx';

interface BuildingProps {
  readonly world: SimulatorState;
  readonly person: DemoPerson | null;
  readonly selectedDoor: string;
  readonly onSelectDoor: (door: string) => void;
}

/** One floor per controller. */
export const BuildingView = ({ world, person, selectedDoor, onSelectDoor }: BuildingProps) => (
  <div class="building card">
    <div class="sky" aria-hidden="true">
      <span class="sign">{world.hotel}</span>
    </div>
    <label class="door-choice">
      Door
      <select value={selectedDoor} onChange={event => onSelectDoor(event.currentTarget.value)}>
        {world.doors.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
    {world.controllers.map(controller => (
      <ControllerFloor
        key={controller.key}
        controller={controller}
        doors={world.doors.filter(door => door.controller === controller.key)}
        person={person}
        selectedDoor={selectedDoor}
        onSelectDoor={onSelectDoor}
      />
    ))}
  </div>
);
