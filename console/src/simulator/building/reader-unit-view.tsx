import type {
  SimulatedControllerState,
  SimulatedReaderUnitState,
} from '@lintel/wire-protocol/simulator/controller-and-gateway-state';
import type { DemoPerson } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../../design/icon.tsx';
import * as icons from '../../design/icons.ts';
import { useSimulatorControls } from '../api/simulator-controls-context.ts';
import { formatKeypadDisplay } from './describe-simulated-door-and-keypad.ts';

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;
const keyNames: Readonly<Record<string, string>> = { '*': 'star, clear', '#': 'hash, enter' };
const FLASH_MS = 160;
const TAP_MS = 600;
const MAX_SHOWN_KEYS = 8;

/** The key that is pressed, and the number of keys since the keypad was idle. */
const useKeyPresses = (controller: string, { id, entry }: SimulatedReaderUnitState) => {
  const { keypadInput } = useSimulatorControls();
  const [pressed, setPressed] = useState<{ readonly key: string } | null>(null);
  const [typed, setTyped] = useState(0);
  useEffect(
    () =>
      keypadInput.subscribe(event => {
        if (event.controller !== controller || event.station !== id || event.key === null) return;
        setPressed({ key: event.key });
        setTyped(count => count + 1);
      }),
    [keypadInput, controller, id],
  );
  useEffect(() => {
    const timer = setTimeout(() => setPressed(null), FLASH_MS);
    return () => clearTimeout(timer);
  }, [pressed]);
  useEffect(() => {
    if (entry.phase === 'idle') setTyped(0);
  }, [entry.phase]);
  return { pressedKey: pressed?.key ?? null, typed: entry.phase === 'idle' ? 0 : typed };
};

/** Whether a card or phone is presented to the reader. */
const useIsTapped = (controller: string, station: string): boolean => {
  const { keypadInput } = useSimulatorControls();
  const [taps, setTaps] = useState({ count: 0, isTapped: false });
  useEffect(
    () =>
      keypadInput.subscribe(event => {
        if (event.controller !== controller || event.station !== station || event.key !== null) return;
        setTaps(({ count }) => ({ count: count + 1, isTapped: true }));
      }),
    [keypadInput, controller, station],
  );
  useEffect(() => {
    const timer = setTimeout(() => setTaps(({ count }) => ({ count, isTapped: false })), TAP_MS);
    return () => clearTimeout(timer);
  }, [taps.count]);
  return taps.isTapped;
};

const Lights = ({ station, isOn }: { readonly station: SimulatedReaderUnitState; readonly isOn: boolean }) => (
  <span class="lights" role="img" aria-label={describeLights(station, isOn)}>
    <i data-light="red" data-is-on={isOn && station.red ? '' : undefined} />
    <i data-light="green" data-is-on={isOn && station.green ? '' : undefined} />
    <i data-light="buzzer" data-is-on={isOn && station.buzzer ? '' : undefined}>
      <Icon shape={icons.bellIcon} />
    </i>
  </span>
);

const describeLights = ({ red, green, buzzer }: SimulatedReaderUnitState, isOn: boolean): string => {
  const lit = [red && 'red light', green && 'green light', buzzer && 'buzzer'].filter(light => light !== false);
  return isOn && lit.length > 0 ? `${lit.join(', ')} on` : 'lights and buzzer off';
};

interface ReaderProps {
  readonly controller: string;
  readonly station: string;
  readonly person: DemoPerson | null;
}

/** Presents the card or phone of the selected person, without a code. */
const Reader = ({ controller, station, person }: ReaderProps) => {
  const { keypadInput } = useSimulatorControls();
  const isTapped = useIsTapped(controller, station);
  const credential = person?.card == null ? (person?.has_phone === true ? 'phone' : null) : 'card';
  const label =
    person === null || credential === null
      ? 'Reader: no card or phone'
      : `Reader: tap the ${credential} of ${person.name}`;
  return (
    <button
      type="button"
      class="reader"
      aria-label={label}
      aria-disabled={credential === null ? 'true' : undefined}
      data-is-tapped={isTapped ? '' : undefined}
      onClick={() => {
        if (person !== null && credential !== null)
          void keypadInput.tap({ controller, station }, person.key, credential);
      }}
    >
      <Icon shape={icons.radioWavesIcon} />
      Tap
    </button>
  );
};

interface ReaderUnitProps {
  readonly person: DemoPerson | null;
  readonly controller: SimulatedControllerState;
  readonly station: SimulatedReaderUnitState;
  readonly nameOf: (door: string) => string;
}

export const ReaderUnitView = ({ person, controller, station, nameOf }: ReaderUnitProps) => {
  const { keypadInput } = useSimulatorControls();
  const { pressedKey, typed } = useKeyPresses(controller.key, station);
  const { power, key: controllerKey } = controller;
  const press = (key: string) => void keypadInput.press({ controller: controllerKey, station: station.id, key });
  return (
    <div class="reader-unit" role="group" aria-label={`Keypad, ${controller.name}`} data-power={power}>
      <div class="display">
        <span class="prompt">{formatKeypadDisplay(station, power, nameOf)}</span>
        <span class="typed" style={{ '--typed': String(Math.min(typed, MAX_SHOWN_KEYS) / MAX_SHOWN_KEYS) }} />
      </div>
      <Lights station={station} isOn={power === 'on'} />
      <div class="keys">
        {keys.map(key => (
          <button
            key={key}
            type="button"
            class="key"
            aria-label={keyNames[key]}
            data-is-pressed={pressedKey === key ? '' : undefined}
            onClick={() => press(key)}
          >
            {key}
          </button>
        ))}
      </div>
      <Reader controller={controllerKey} station={station.id} person={person} />
    </div>
  );
};
