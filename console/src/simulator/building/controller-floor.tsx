import type { SimulatedControllerState } from '@lintel/wire-protocol/simulator/controller-and-gateway-state';
import type { SimulatedDoorState } from '@lintel/wire-protocol/simulator/door-state';
import type { DemoPerson } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import { Icon } from '../../design/icon.tsx';
import * as icons from '../../design/icons.ts';
import { useSimulatorControls } from '../api/simulator-controls-context.ts';
import { DoorDrawing } from './door-drawing.tsx';
import { useSiteTimeFormatter } from '../api/site-time-formatter.ts';
import { mapKeyboardKeyToKeypad } from '../api/map-keyboard-key-to-keypad.ts';
import {
  selectDoorAppearance,
  describeSimulatedDoorState,
  describeHowToOpenDoor,
} from './describe-simulated-door-and-keypad.ts';
import { ReaderUnitView } from './reader-unit-view.tsx';

const linkText = ({ power, is_connected, is_online, upstream }: SimulatedControllerState): string => {
  if (power !== 'on') return power === 'off' ? 'no power' : 'starting';
  if (is_online) return 'online';
  return is_connected && upstream === 'gateway' ? 'gateway only' : 'offline';
};

const Supply = ({ supply: { mains, battery, charging } }: SimulatedControllerState) => (
  <span class="supply">
    <span data-is-on={mains ? '' : undefined}>
      <Icon shape={icons.plugIcon} />
      <span class="unseen">{mains ? 'mains' : 'no mains'}</span>
    </span>
    <span data-is-on={battery ? '' : undefined}>
      <Icon shape={icons.batteryIcon} />
      <span class="unseen">{battery ? (charging ? 'battery charging' : 'on battery') : 'no battery'}</span>
    </span>
  </span>
);

const Chips = (controller: SimulatedControllerState) => {
  const clock = useSiteTimeFormatter();
  const { power, is_online, waiting_events, stations, faults } = controller;
  const until = stations.find(({ locked_until }) => locked_until !== null)?.locked_until;
  return (
    <span class="chips">
      <span class="chip" data-is-good={power === 'on' && is_online ? '' : undefined}>
        {linkText(controller)}
      </span>
      {until == null ? null : <span class="chip">keypad locked until {clock(until)}</span>}
      {waiting_events > 0 ? <span class="chip waiting">{waiting_events} queued</span> : null}
      {faults.map(({ code, message }) => (
        <span key={code} class="chip" title={message}>
          {code.replaceAll('_', ' ')}
        </span>
      ))}
    </span>
  );
};

interface DoorProps {
  readonly door: SimulatedDoorState;
  readonly power: SimulatedControllerState['power'];
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

const Door = ({ door, power, isSelected, onSelect }: DoorProps) => {
  const { keypadInput } = useSimulatorControls();
  const { key: doorKey, name, controller, station } = door;
  const hintId = `how-${doorKey}`;
  const onKeyDown = (event: KeyboardEvent): void => {
    const key = mapKeyboardKeyToKeypad(event);
    if (key === null) return;
    event.preventDefault();
    void keypadInput.press({ controller, station, key });
  };
  return (
    <li
      class="door"
      data-appearance={selectDoorAppearance(door, power)}
      data-door={doorKey}
      data-is-selected={isSelected ? '' : undefined}
    >
      <button
        type="button"
        class="doorway"
        aria-pressed={isSelected ? 'true' : 'false'}
        aria-describedby={hintId}
        onClick={onSelect}
        onFocus={onSelect}
        onKeyDown={onKeyDown}
      >
        <DoorDrawing door={door} appearance={selectDoorAppearance(door, power)} />
        <span class="name">{name}</span>
        {/* Replaced instead of changed, because centered text that grows counts as a layout shift. */}
        <span class="state" key={describeSimulatedDoorState(door, power)}>
          {describeSimulatedDoorState(door, power)}
        </span>
        <span class="unseen" id={hintId}>
          {`${describeHowToOpenDoor(door)} While this door has the focus, your keyboard types on its keypad. Enter is hash.`}
        </span>
      </button>
    </li>
  );
};

interface FloorProps {
  readonly controller: SimulatedControllerState;
  readonly doors: readonly SimulatedDoorState[];
  readonly person: DemoPerson | null;
  readonly selectedDoor: string;
  readonly onSelectDoor: (door: string) => void;
}

/** The doors and reader units of one controller. */
export const ControllerFloor = ({ controller, doors, person, selectedDoor, onSelectDoor }: FloorProps) => {
  const { name, power, stations } = controller;
  const nameOf = (key: string) => doors.find(door => door.key === key)?.name ?? key;
  return (
    <section
      class="floor"
      aria-label={name}
      data-power={power}
      data-controller={controller.key}
      data-is-selected={doors.some(({ key }) => key === selectedDoor) ? '' : undefined}
    >
      <header>
        <h2>{name}</h2>
        <Chips {...controller} />
        <Supply {...controller} />
      </header>
      <ul class="doors" data-count={doors.length}>
        {doors.map(door => (
          <Door
            key={door.key}
            door={door}
            power={power}
            isSelected={door.key === selectedDoor}
            onSelect={() => onSelectDoor(door.key)}
          />
        ))}
      </ul>
      {stations.map(station => (
        <ReaderUnitView key={station.id} person={person} controller={controller} station={station} nameOf={nameOf} />
      ))}
    </section>
  );
};
