import type { SimulatorState } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import { describeSimulatedDoorState, selectDoorAppearance } from '../building/describe-simulated-door-and-keypad.ts';
import { ControllerFaultSwitches } from './controller-fault-switches.tsx';
import { LinkFaultSwitches } from './link-fault-switches.tsx';

export const FaultsPanel = ({ world, timeZone }: { readonly world: SimulatorState; readonly timeZone: string }) => (
  <section class="faults card" aria-label="Faults">
    <header>
      <h2>Simulate a fault</h2>
      <p>These are real faults of real processes. The doors keep working.</p>
    </header>
    <ul class="door-states" aria-label="Doors">
      {world.doors.map(door => {
        const power = world.controllers.find(({ key }) => key === door.controller)?.power ?? 'on';
        return (
          <li key={door.key} data-appearance={selectDoorAppearance(door, power)}>
            <strong>{door.name}</strong> {describeSimulatedDoorState(door, power)}
          </li>
        );
      })}
    </ul>
    <div class="fault-groups">
      <LinkFaultSwitches world={world} />
      {world.controllers.map(controller => (
        <ControllerFaultSwitches key={controller.key} controller={controller} timeZone={timeZone} />
      ))}
    </div>
  </section>
);
