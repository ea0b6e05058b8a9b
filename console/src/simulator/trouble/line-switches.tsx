import type { LineMode, LineSwitch } from '@lintel/wire-protocol/simulator/switches';
import type { World } from '@lintel/wire-protocol/simulator/world';
import { Segments } from '../../design/controls.tsx';
import { useHands } from '../live/hands.ts';
import { lineEffect, modeOfSwitch } from './effect-words.ts';
import { TroubleRow } from './trouble-row.tsx';

const modes: readonly { readonly value: LineMode; readonly label: string; readonly isTrouble?: boolean }[] = [
  { value: 'up', label: 'Up' },
  { value: 'slow', label: 'Slow', isTrouble: true },
  { value: 'half_open', label: 'Dead', isTrouble: true },
  { value: 'cut', label: 'Cut', isTrouble: true },
];

const switches: readonly { readonly which: LineSwitch; readonly name: string; readonly does: string }[] = [
  {
    which: 'internet',
    name: 'Internet',
    does: 'Front door and gateway lose the bridge.',
  },
  {
    which: 'gateway_link',
    name: 'Gateway link',
    does: 'The first floor loses its gateway.',
  },
];

export const LineSwitches = ({ world }: { readonly world: World }) => {
  const { orders } = useHands();
  return (
    <div class="trouble-group lines">
      <h3>Lines</h3>
      <ul>
        {switches.map(({ which, name, does }) => (
          <TroubleRow key={which} id={`does-${which}`} does={does} effect={lineEffect(world, which)}>
            <span class="trouble-name">{name}</span>
            <Segments
              name={which}
              legend={name}
              chosen={modeOfSwitch(world, which)}
              options={modes}
              describedBy={`does-${which}`}
              choose={mode => void orders.lines({ switch: which, mode })}
            />
          </TroubleRow>
        ))}
      </ul>
    </div>
  );
};
