import type { ControllerState, StationState } from '@lintel/wire-protocol/simulator/controller-state';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../../design/icon.tsx';
import { useHands } from '../live/hands.ts';
import { displayWords } from './door-words.ts';

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;
const names: Readonly<Record<string, string>> = { '*': 'star, clear', '#': 'hash, enter' };
const FLASH_MS = 160;

/** The key that went down last, for as long as a finger rests on it, and how many went down since the keypad was idle. */
const useStrokes = (controller: string, { id, entry }: StationState) => {
  const { typist } = useHands();
  const [down, setDown] = useState<{ readonly key: string } | null>(null);
  const [typed, setTyped] = useState(0);
  useEffect(
    () =>
      typist.watch(stroke => {
        if (stroke.controller !== controller || stroke.station !== id) return;
        setDown({ key: stroke.key });
        setTyped(count => count + 1);
      }),
    [typist, controller, id],
  );
  useEffect(() => {
    const timer = setTimeout(() => setDown(null), FLASH_MS);
    return () => clearTimeout(timer);
  }, [down]);
  useEffect(() => {
    if (entry.phase === 'idle') setTyped(0);
  }, [entry.phase]);
  return { down: down?.key ?? null, typed: entry.phase === 'idle' ? 0 : typed };
};

const Lights = ({ station, isOn }: { readonly station: StationState; readonly isOn: boolean }) => (
  <span class="lights" role="img" aria-label={lightWords(station, isOn)}>
    <i data-light="red" data-is-on={isOn && station.red ? '' : undefined} />
    <i data-light="green" data-is-on={isOn && station.green ? '' : undefined} />
    <i data-light="buzzer" data-is-on={isOn && station.buzzer ? '' : undefined}>
      <Icon shape="bell" />
    </i>
  </span>
);

const lightWords = ({ red, green, buzzer }: StationState, isOn: boolean): string => {
  const lit = [red && 'red light', green && 'green light', buzzer && 'buzzer'].filter(word => word !== false);
  return isOn && lit.length > 0 ? `${lit.join(', ')} on` : 'lights and buzzer off';
};

interface StationProps {
  readonly controller: ControllerState;
  readonly station: StationState;
  readonly nameOf: (door: string) => string;
}

/** Keypad, reader, lights. */
export const Station = ({ controller, station, nameOf }: StationProps) => {
  const { typist } = useHands();
  const { down, typed } = useStrokes(controller.key, station);
  const { power, key: controllerKey } = controller;
  const press = (key: string) => void typist.press({ controller: controllerKey, station: station.id, key });
  return (
    <div class="station" role="group" aria-label={`Keypad, ${controller.name}`} data-power={power}>
      <div class="display">
        <span class="says">{displayWords(station, power, nameOf)}</span>
        <span class="dots" aria-hidden="true">
          {'•'.repeat(Math.min(typed, 8))}
        </span>
      </div>
      <Lights station={station} isOn={power === 'on'} />
      <div class="keys">
        {keys.map(key => (
          <button
            key={key}
            type="button"
            class="key"
            aria-label={names[key]}
            data-is-down={down === key ? '' : undefined}
            onClick={() => press(key)}
          >
            {key}
          </button>
        ))}
      </div>
      <div class="reader" aria-hidden="true">
        <Icon shape="wave" />
      </div>
    </div>
  );
};
