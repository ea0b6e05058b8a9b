import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

interface PressProps {
  readonly icon?: string;
  readonly look?: 'primary' | 'plain';
  readonly label?: string;
  readonly isOff?: boolean;
  readonly press: () => void;
  readonly children?: ComponentChildren;
}

/** Stays focusable while it is off: a button that vanishes under the finger takes the reader's place with it. */
export const Press = ({ icon, look, label, isOff = false, press, children }: PressProps) => (
  <button
    type="button"
    class={look === undefined ? 'button' : `button ${look}`}
    aria-label={label}
    aria-disabled={isOff ? 'true' : undefined}
    onClick={() => {
      if (!isOff) press();
    }}
  >
    {icon === undefined ? null : <Icon shape={icon} />}
    {children}
  </button>
);

interface SwitchProps {
  readonly isOn: boolean;
  /** On is what breaks things. */
  readonly isTrouble?: boolean;
  readonly label?: string;
  readonly describedBy?: string;
  readonly turn: (isOn: boolean) => void;
  readonly children: ComponentChildren;
}

export const Switch = ({ isOn, isTrouble, label, describedBy, turn, children }: SwitchProps) => (
  <button
    type="button"
    class="switch"
    role="switch"
    aria-checked={isOn ? 'true' : 'false'}
    aria-label={label}
    aria-describedby={describedBy}
    data-is-trouble={isTrouble === true ? '' : undefined}
    onClick={() => turn(!isOn)}
  >
    {children}
  </button>
);

interface SegmentsProps<T extends string> {
  readonly name: string;
  readonly legend: string;
  readonly chosen: T | null;
  readonly options: readonly { readonly value: T; readonly label: string; readonly isTrouble?: boolean }[];
  readonly describedBy?: string;
  readonly choose: (value: T) => void;
}

export const Segments = <T extends string>(props: SegmentsProps<T>) => (
  <fieldset class="segments" aria-describedby={props.describedBy}>
    <legend class="unseen">{props.legend}</legend>
    {props.options.map(({ value, label, isTrouble }) => (
      <label key={value} data-is-trouble={isTrouble === true ? '' : undefined}>
        <input
          type="radio"
          name={props.name}
          value={value}
          checked={value === props.chosen}
          onChange={() => props.choose(value)}
        />
        {label}
      </label>
    ))}
  </fieldset>
);
