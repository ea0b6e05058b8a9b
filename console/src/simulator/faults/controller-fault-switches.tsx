import type { SimulatedControllerState } from '@lintel/wire-protocol/simulator/controller-and-gateway-state';
import { HOUR_MS } from '@lintel/access-core/durations';
import { SegmentedControl, Switch } from '../../design/controls.tsx';
import { useSimulatorControls } from '../api/simulator-controls-context.ts';
import {
  describeClockEffect,
  describeDiskEffect,
  describeHousingEffect,
  describePowerEffect,
  describeSupplyEffect,
} from './describe-fault-effect.ts';
import { FaultSwitchRow } from './fault-switch-row.tsx';

const steps = [
  { value: String(-24 * HOUR_MS), label: '−1 day', isFault: true },
  { value: String(-HOUR_MS), label: '−1 h', isFault: true },
  { value: '0', label: 'Correct' },
  { value: String(HOUR_MS), label: '+1 h', isFault: true },
  { value: String(24 * HOUR_MS), label: '+1 day', isFault: true },
];

interface ControllerSwitchesProps {
  readonly controller: SimulatedControllerState;
  readonly timeZone: string;
}

export const ControllerFaultSwitches = ({ controller, timeZone }: ControllerSwitchesProps) => {
  const { commands } = useSimulatorControls();
  const { key, name, power, supply, clock, is_disk_full, is_housing_open, technician } = controller;
  const descriptionId = (fault: string) => `description-${key}-${fault}`;
  return (
    <div class="fault-group">
      <h3>
        {name}
        {technician === null ? null : (
          <a href={`/technician/${key}`} target="_blank" rel="noreferrer">
            Technician page
          </a>
        )}
      </h3>
      <ul>
        <FaultSwitchRow
          id={descriptionId('power')}
          description="Stops the firmware at once. Switch off to start it again."
          effect={describePowerEffect(controller)}
        >
          <Switch
            isOn={power === 'off'}
            isFault
            label={`Power cut, ${name}`}
            describedBy={descriptionId('power')}
            onChange={isCut => void commands.power(key, { on: !isCut })}
          >
            Power cut
          </Switch>
        </FaultSwitchRow>
        <FaultSwitchRow
          id={descriptionId('supply')}
          description="Power source. Shuts down without either."
          effect={describeSupplyEffect(controller)}
        >
          <span class="pair">
            <Switch
              isOn={supply.mains}
              label={`Mains, ${name}`}
              describedBy={descriptionId('supply')}
              onChange={mains => void commands.supply(key, { mains })}
            >
              Mains
            </Switch>
            <Switch
              isOn={supply.battery}
              label={`Battery, ${name}`}
              describedBy={descriptionId('supply')}
              onChange={battery => void commands.supply(key, { battery })}
            >
              Battery
            </Switch>
          </span>
        </FaultSwitchRow>
        <FaultSwitchRow
          id={descriptionId('clock')}
          description="Sets the controller's clock wrong."
          effect={describeClockEffect(controller, timeZone)}
        >
          <span class="fault-name">Clock</span>
          <SegmentedControl
            name={`clock-${key}`}
            legend={`Clock, ${name}`}
            value={clock === null ? null : String(clock.stepped_ms)}
            options={steps}
            describedBy={descriptionId('clock')}
            onChange={step => void commands.clock(key, { stepped_ms: Number(step) })}
          />
        </FaultSwitchRow>
        <FaultSwitchRow
          id={descriptionId('disk')}
          description="Blocks all disk writes."
          effect={describeDiskEffect(controller)}
        >
          <Switch
            isOn={is_disk_full}
            isFault
            label={`Disk full, ${name}`}
            describedBy={descriptionId('disk')}
            onChange={full => void commands.disk(key, { full })}
          >
            Disk full
          </Switch>
        </FaultSwitchRow>
        <FaultSwitchRow
          id={descriptionId('housing')}
          description="Opens the housing of the controller."
          effect={describeHousingEffect(controller)}
        >
          <Switch
            isOn={is_housing_open}
            isFault
            label={`Housing open, ${name}`}
            describedBy={descriptionId('housing')}
            onChange={open => void commands.housing(key, { open })}
          >
            Housing open
          </Switch>
        </FaultSwitchRow>
      </ul>
    </div>
  );
};
