import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

interface ButtonProps {
  readonly icon?: string;
  readonly variant?: 'primary' | 'plain' | 'danger';
  readonly label?: string;
  readonly isDisabled?: boolean;
  readonly onPress: () => void;
  readonly children?: ComponentChildren;
}

/** Uses `aria-disabled` because a button with `disabled` loses the focus. */
export const Button = ({ icon, variant, label, isDisabled = false, onPress, children }: ButtonProps) => (
  <button
    type="button"
    class={variant === undefined ? 'button' : `button ${variant}`}
    aria-label={label}
    aria-disabled={isDisabled ? 'true' : undefined}
    onClick={() => {
      if (!isDisabled) onPress();
    }}
  >
    {icon === undefined ? null : <Icon shape={icon} />}
    {children}
  </button>
);

interface SwitchProps {
  readonly isOn: boolean;
  /** Whether switching it on causes a fault. */
  readonly isFault?: boolean;
  readonly label?: string;
  readonly describedBy?: string;
  readonly onChange: (isOn: boolean) => void;
  readonly children: ComponentChildren;
}

export const Switch = ({ isOn, isFault, label, describedBy, onChange, children }: SwitchProps) => (
  <button
    type="button"
    class="switch"
    role="switch"
    aria-checked={isOn ? 'true' : 'false'}
    aria-label={label}
    aria-describedby={describedBy}
    data-is-fault={isFault === true ? '' : undefined}
    onClick={() => onChange(!isOn)}
  >
    {children}
  </button>
);

interface SegmentedControlProps<T extends string> {
  readonly name: string;
  readonly legend: string;
  readonly value: T | null;
  readonly options: readonly { readonly value: T; readonly label: string; readonly isFault?: boolean }[];
  readonly describedBy?: string;
  readonly onChange: (value: T) => void;
}

export const SegmentedControl = <T extends string>(props: SegmentedControlProps<T>) => (
  <fieldset class="segments" aria-describedby={props.describedBy}>
    <legend class="unseen">{props.legend}</legend>
    {props.options.map(({ value, label, isFault }) => (
      <label key={value} data-is-fault={isFault === true ? '' : undefined}>
        <input
          type="radio"
          name={props.name}
          value={value}
          checked={value === props.value}
          onChange={() => props.onChange(value)}
        />
        {label}
      </label>
    ))}
  </fieldset>
);
