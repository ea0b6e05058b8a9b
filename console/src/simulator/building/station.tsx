import type { ControllerState, StationState } from '@lintel/wire-protocol/simulator/controller-state';
import type { Person } from '@lintel/wire-protocol/simulator/world';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../../design/icon.tsx';
import * as shapes from '../../design/shapes.ts';
import { useHands } from '../live/hands.ts';
import { displayWords } from './door-words.ts';

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;
const names: Readonly<Record<string, string>> = { '*': 'star, clear', '#': 'hash, enter' };
const FLASH_MS = 160;
const TAP_MS = 600;
const LONGEST_SHOWN = 8;

/** The key that went down last, for as long as a finger rests on it, and how many went down since the keypad was idle. */
const useStrokes = (controller: string, { id, entry }: StationState) => {
  const { typist } = useHands();
  const [down, setDown] = useState<{ readonly key: string } | null>(null);
  const [typed, setTyped] = useState(0);
  useEffect(
    () =>
      typist.watch(stroke => {
        if (stroke.controller !== controller || stroke.station !== id || stroke.key === null) return;
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

/** Something is held to the reader. */
const useTapNear = (controller: string, station: string): boolean => {
  const { typist } = useHands();
  const [taps, setTaps] = useState({ count: 0, isNear: false });
  useEffect(
    () =>
      typist.watch(stroke => {
        if (stroke.controller !== controller || stroke.station !== station || stroke.key !== null) return;
        setTaps(({ count }) => ({ count: count + 1, isNear: true }));
      }),
    [typist, controller, station],
  );
  useEffect(() => {
    const timer = setTimeout(() => setTaps(({ count }) => ({ count, isNear: false })), TAP_MS);
    return () => clearTimeout(timer);
  }, [taps.count]);
  return taps.isNear;
};

const Lights = ({ station, isOn }: { readonly station: StationState; readonly isOn: boolean }) => (
  <span class="lights" role="img" aria-label={lightWords(station, isOn)}>
    <i data-light="red" data-is-on={isOn && station.red ? '' : undefined} />
    <i data-light="green" data-is-on={isOn && station.green ? '' : undefined} />
    <i data-light="buzzer" data-is-on={isOn && station.buzzer ? '' : undefined}>
      <Icon shape={shapes.bell} />
    </i>
  </span>
);

const lightWords = ({ red, green, buzzer }: StationState, isOn: boolean): string => {
  const lit = [red && 'red light', green && 'green light', buzzer && 'buzzer'].filter(word => word !== false);
  return isOn && lit.length > 0 ? `${lit.join(', ')} on` : 'lights and buzzer off';
};

interface ReaderProps {
  readonly controller: string;
  readonly station: string;
  readonly who: Person | null;
}

/** Takes whatever the one who stands here carries, as it is held to it: no code is typed for it. */
const Reader = ({ controller, station, who }: ReaderProps) => {
  const { typist } = useHands();
  const isNear = useTapNear(controller, station);
  const thing = who?.card == null ? (who?.has_phone === true ? 'phone' : null) : 'card';
  const words =
    who === null || thing === null ? 'Reader: nothing to tap with' : `Reader: tap the ${thing} of ${who.name}`;
  return (
    <button
      type="button"
      class="reader"
      aria-label={words}
      aria-disabled={thing === null ? 'true' : undefined}
      data-is-near={isNear ? '' : undefined}
      onClick={() => {
        if (who !== null && thing !== null) void typist.hold({ controller, station }, who.key, thing);
      }}
    >
      <Icon shape={shapes.wave} />
      Tap
    </button>
  );
};

interface StationProps {
  readonly who: Person | null;
  readonly controller: ControllerState;
  readonly station: StationState;
  readonly nameOf: (door: string) => string;
}

/** Keypad, reader, lights. */
export const Station = ({ who, controller, station, nameOf }: StationProps) => {
  const { typist } = useHands();
  const { down, typed } = useStrokes(controller.key, station);
  const { power, key: controllerKey } = controller;
  const press = (key: string) => void typist.press({ controller: controllerKey, station: station.id, key });
  return (
    <div class="station" role="group" aria-label={`Keypad, ${controller.name}`} data-power={power}>
      <div class="display">
        <span class="says">{displayWords(station, power, nameOf)}</span>
        <span class="typed" style={{ '--typed': String(Math.min(typed, LONGEST_SHOWN) / LONGEST_SHOWN) }} />
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
      <Reader controller={controllerKey} station={station.id} who={who} />
    </div>
  );
};
