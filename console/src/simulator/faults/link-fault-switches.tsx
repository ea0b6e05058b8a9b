import type { SimulatedLinkMode, SimulatedLinkGroup } from '@lintel/wire-protocol/simulator/network-links';
import type { SimulatorState } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import { SegmentedControl } from '../../design/controls.tsx';
import { useSimulatorControls } from '../api/simulator-controls-context.ts';
import { describeLinkEffect, findCommonLinkMode } from './describe-fault-effect.ts';
import { FaultSwitchRow } from './fault-switch-row.tsx';

const modes: readonly { readonly value: SimulatedLinkMode; readonly label: string; readonly isFault?: boolean }[] = [
  { value: 'up', label: 'Working' },
  { value: 'slow', label: 'Slow', isFault: true },
  { value: 'half_open', label: 'Stalled', isFault: true },
  { value: 'cut', label: 'Cut', isFault: true },
];

const switches: readonly { readonly which: SimulatedLinkGroup; readonly name: string; readonly description: string }[] =
  [
    {
      which: 'internet',
      name: 'Internet',
      description: 'Between the bridge and both the front door controller and the gateway.',
    },
    {
      which: 'gateway_link',
      name: 'Gateway link',
      description: 'Between the first floor controller and its gateway.',
    },
  ];

export const LinkFaultSwitches = ({ world }: { readonly world: SimulatorState }) => {
  const { commands } = useSimulatorControls();
  return (
    <div class="fault-group links">
      <h3>Connections</h3>
      <ul>
        {switches.map(({ which, name, description }) => (
          <FaultSwitchRow
            key={which}
            id={`description-${which}`}
            description={description}
            effect={describeLinkEffect(world, which)}
          >
            <span class="fault-name">{name}</span>
            <SegmentedControl
              name={which}
              legend={name}
              value={findCommonLinkMode(world, which)}
              options={modes}
              describedBy={`description-${which}`}
              onChange={mode => void commands.links({ switch: which, mode })}
            />
          </FaultSwitchRow>
        ))}
      </ul>
    </div>
  );
};
