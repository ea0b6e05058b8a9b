import type { ControllerState } from '@lintel/wire-protocol/simulator/controller-state';
import type { DoorState } from '@lintel/wire-protocol/simulator/door-state';
import type { Person } from '@lintel/wire-protocol/simulator/world';
import { Icon } from '../../design/icon.tsx';
import * as shapes from '../../design/shapes.ts';
import { useHands } from '../live/hands.ts';
import { DoorDrawing } from './door-drawing.tsx';
import { useWallClock } from '../live/wall-clock.ts';
import { keyOf } from '../live/key-of.ts';
import { doorLook, doorWords, howToOpen } from './door-words.ts';
import { Station } from './station.tsx';

const linkWords = ({ power, is_connected, is_online, upstream }: ControllerState): string => {
  if (power !== 'on') return power === 'off' ? 'no power' : 'starting';
  if (is_online) return 'online';
  return is_connected && upstream === 'gateway' ? 'gateway only' : 'offline';
};

const waitingWords = (count: number): string => `${count} ${count === 1 ? 'event waits' : 'events wait'}`;

const Supply = ({ supply: { mains, battery, charging } }: ControllerState) => (
  <span class="supply">
    <span data-is-on={mains ? '' : undefined}>
      <Icon shape={shapes.plug} />
      <span class="unseen">{mains ? 'mains' : 'no mains'}</span>
    </span>
    <span data-is-on={battery ? '' : undefined}>
      <Icon shape={shapes.battery} />
      <span class="unseen">{battery ? (charging ? 'battery charging' : 'on battery') : 'no battery'}</span>
    </span>
  </span>
);

const Chips = (controller: ControllerState) => {
  const clock = useWallClock();
  const { power, is_online, waiting_events, stations, faults } = controller;
  const until = stations.find(({ locked_until }) => locked_until !== null)?.locked_until;
  return (
    <span class="chips">
      <span class="chip" data-is-good={power === 'on' && is_online ? '' : undefined}>
        {linkWords(controller)}
      </span>
      {until == null ? null : <span class="chip">keypad locked until {clock(until)}</span>}
      {waiting_events > 0 ? <span class="chip waiting">{waitingWords(waiting_events)}</span> : null}
      {faults.map(({ code, message }) => (
        <span key={code} class="chip" title={message}>
          {code.replaceAll('_', ' ')}
        </span>
      ))}
    </span>
  );
};

interface DoorProps {
  readonly door: DoorState;
  readonly power: ControllerState['power'];
  readonly isHere: boolean;
  readonly goTo: () => void;
}

const Door = ({ door, power, isHere, goTo }: DoorProps) => {
  const { typist } = useHands();
  const { key: doorKey, name, controller, station } = door;
  const hintId = `how-${doorKey}`;
  const typed = (event: KeyboardEvent): void => {
    const key = keyOf(event);
    if (key === null) return;
    event.preventDefault();
    void typist.press({ controller, station, key });
  };
  return (
    <li class="door" data-look={doorLook(door, power)} data-door={doorKey}>
      <button
        type="button"
        class="doorway"
        aria-pressed={isHere ? 'true' : 'false'}
        aria-describedby={hintId}
        onClick={goTo}
        onFocus={goTo}
        onKeyDown={typed}
      >
        <DoorDrawing door={door} look={doorLook(door, power)} />
        <span class="name">{name}</span>
        {/* Another element for other words: centred text that grows would be moved text. */}
        <span class="state" key={doorWords(door, power)}>
          {doorWords(door, power)}
        </span>
        <span class="unseen" id={hintId}>
          {`${howToOpen(door)} With the focus here, the keyboard types on its keypad; Enter is hash.`}
        </span>
      </button>
    </li>
  );
};

interface FloorProps {
  readonly controller: ControllerState;
  readonly doors: readonly DoorState[];
  readonly who: Person | null;
  readonly hereKey: string;
  readonly goTo: (door: string) => void;
}

/** What hangs on one controller: its doors along a wall, and its keypad. */
export const Floor = ({ controller, doors, who, hereKey, goTo }: FloorProps) => {
  const { name, power, stations } = controller;
  const nameOf = (key: string) => doors.find(door => door.key === key)?.name ?? key;
  return (
    <section class="floor" aria-label={name} data-power={power} data-controller={controller.key}>
      <header>
        <h2>{name}</h2>
        <Chips {...controller} />
        <Supply {...controller} />
      </header>
      <ul class="doors" data-count={doors.length}>
        {doors.map(door => (
          <Door key={door.key} door={door} power={power} isHere={door.key === hereKey} goTo={() => goTo(door.key)} />
        ))}
      </ul>
      {stations.map(station => (
        <Station key={station.id} who={who} controller={controller} station={station} nameOf={nameOf} />
      ))}
    </section>
  );
};
