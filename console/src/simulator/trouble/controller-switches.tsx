import type { ControllerState } from '@lintel/wire-protocol/simulator/controller-state';
import { Segments, Switch } from '../../design/controls.tsx';
import { useHands } from '../live/hands.ts';
import { clockEffect, diskEffect, housingEffect, powerEffect, supplyEffect } from './effect-words.ts';
import { TroubleRow } from './trouble-row.tsx';

const HOUR_MS = 3_600_000;
const steps = [
  { value: String(-24 * HOUR_MS), label: '−1 day', isTrouble: true },
  { value: String(-HOUR_MS), label: '−1 h', isTrouble: true },
  { value: '0', label: 'Right' },
  { value: String(HOUR_MS), label: '+1 h', isTrouble: true },
  { value: String(24 * HOUR_MS), label: '+1 day', isTrouble: true },
];

interface ControllerSwitchesProps {
  readonly controller: ControllerState;
  readonly timeZone: string;
}

export const ControllerSwitches = ({ controller, timeZone }: ControllerSwitchesProps) => {
  const { orders } = useHands();
  const { key, name, power, supply, clock, is_disk_full, is_housing_open, technician } = controller;
  const does = (what: string) => `does-${key}-${what}`;
  return (
    <div class="trouble-group">
      <h3>
        {name}
        {technician === null ? null : (
          <a href={technician} target="_blank" rel="noreferrer">
            technician's page
          </a>
        )}
      </h3>
      <ul>
        <TroubleRow
          id={does('power')}
          does="Kills the firmware at once. Off starts it again."
          effect={powerEffect(controller)}
        >
          <Switch
            isOn={power === 'off'}
            isTrouble
            label={`Power cut, ${name}`}
            describedBy={does('power')}
            turn={isCut => void orders.power(key, { on: !isCut })}
          >
            Power cut
          </Switch>
        </TroubleRow>
        <TroubleRow id={does('supply')} does="What feeds it. Without both it dies." effect={supplyEffect(controller)}>
          <span class="pair">
            <Switch
              isOn={supply.mains}
              label={`Mains, ${name}`}
              describedBy={does('supply')}
              turn={mains => void orders.supply(key, { mains })}
            >
              Mains
            </Switch>
            <Switch
              isOn={supply.battery}
              label={`Battery, ${name}`}
              describedBy={does('supply')}
              turn={battery => void orders.supply(key, { battery })}
            >
              Battery
            </Switch>
          </span>
        </TroubleRow>
        <TroubleRow
          id={does('clock')}
          does="Moves its machine's clock off the time."
          effect={clockEffect(controller, timeZone)}
        >
          <span class="trouble-name">Clock</span>
          <Segments
            name={`clock-${key}`}
            legend={`Clock, ${name}`}
            chosen={clock === null ? null : String(clock.stepped_ms)}
            options={steps}
            describedBy={does('clock')}
            choose={step => void orders.clock(key, { stepped_ms: Number(step) })}
          />
        </TroubleRow>
        <TroubleRow id={does('disk')} does="No file of its process may grow." effect={diskEffect(controller)}>
          <Switch
            isOn={is_disk_full}
            isTrouble
            label={`Disk full, ${name}`}
            describedBy={does('disk')}
            turn={full => void orders.disk(key, { full })}
          >
            Disk full
          </Switch>
        </TroubleRow>
        <TroubleRow id={does('housing')} does="Opens the box on the wall." effect={housingEffect(controller)}>
          <Switch
            isOn={is_housing_open}
            isTrouble
            label={`Housing open, ${name}`}
            describedBy={does('housing')}
            turn={open => void orders.housing(key, { open })}
          >
            Housing open
          </Switch>
        </TroubleRow>
      </ul>
    </div>
  );
};
