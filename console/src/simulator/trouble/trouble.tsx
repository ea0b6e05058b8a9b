import type { World } from '@lintel/wire-protocol/simulator/world';
import { ControllerSwitches } from './controller-switches.tsx';
import { LineSwitches } from './line-switches.tsx';

/** Everything that can go wrong, by hand. */
export const Trouble = ({ world, timeZone }: { readonly world: World; readonly timeZone: string }) => (
  <section class="trouble card" aria-label="Trouble">
    <header>
      <h2>Make trouble</h2>
      <p>Real faults for real processes. The doors should not mind.</p>
    </header>
    <div class="trouble-groups">
      <LineSwitches world={world} />
      {world.controllers.map(controller => (
        <ControllerSwitches key={controller.key} controller={controller} timeZone={timeZone} />
      ))}
    </div>
  </section>
);
