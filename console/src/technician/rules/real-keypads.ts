import type { LiveHappening } from '@lintel/wire-protocol/technician/live';

/** A keypad at the door, as far as the live view tells: its digits never. */
export interface RealKeypad {
  readonly station: string;
  readonly phase: 'idle' | 'code' | 'armed';
  readonly rule: { readonly gadget_id: string; readonly action_id: string } | null;
  /** Dots, stars and hashes since it was idle. */
  readonly typed: string;
}

const LONGEST = 40;

export const idleKeypads = (
  stations: readonly { readonly id: string; readonly keypad: boolean }[],
): readonly RealKeypad[] =>
  stations.filter(({ keypad }) => keypad).map(({ id }) => ({ station: id, phase: 'idle', rule: null, typed: '' }));

const changed = (keypads: readonly RealKeypad[], station: string, change: (keypad: RealKeypad) => RealKeypad) =>
  keypads.map(keypad => (keypad.station === station ? change(keypad) : keypad));

export const keypadsAfter = (keypads: readonly RealKeypad[], what: LiveHappening): readonly RealKeypad[] => {
  if (what.type === 'key') {
    return changed(keypads, what.station, keypad => ({ ...keypad, typed: (keypad.typed + what.key).slice(-LONGEST) }));
  }
  if (what.type === 'entry') {
    const { station, phase, rule } = what;
    return changed(keypads, station, ({ typed }) => ({ station, phase, rule, typed: phase === 'idle' ? '' : typed }));
  }
  return keypads;
};
