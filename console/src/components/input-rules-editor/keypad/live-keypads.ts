import type { TechnicianLiveMessage } from '@lintel/wire-protocol/technician/live-message';

/** A real keypad, from live events, which contain no digits. */
export interface LiveKeypadState {
  readonly station: string;
  readonly phase: 'idle' | 'code' | 'armed';
  readonly rule: { readonly gadget_id: string; readonly action_id: string } | null;
  /** Dots, stars and hashes since the keypad was idle. */
  readonly typed: string;
}

const MAX_TYPED = 40;

export const createIdleLiveKeypads = (
  stations: readonly { readonly id: string; readonly keypad: boolean }[],
): readonly LiveKeypadState[] =>
  stations.filter(({ keypad }) => keypad).map(({ id }) => ({ station: id, phase: 'idle', rule: null, typed: '' }));

const updateStation = (
  keypads: readonly LiveKeypadState[],
  station: string,
  update: (keypad: LiveKeypadState) => LiveKeypadState,
) => keypads.map(keypad => (keypad.station === station ? update(keypad) : keypad));

export const applyLiveMessageToKeypads = (
  keypads: readonly LiveKeypadState[],
  event: TechnicianLiveMessage,
): readonly LiveKeypadState[] => {
  if (event.type === 'key') {
    return updateStation(keypads, event.station, keypad => ({
      ...keypad,
      typed: (keypad.typed + event.key).slice(-MAX_TYPED),
    }));
  }
  if (event.type === 'entry') {
    const { station, phase, rule } = event;
    return updateStation(keypads, station, ({ typed }) => ({
      station,
      phase,
      rule,
      typed: phase === 'idle' ? '' : typed,
    }));
  }
  return keypads;
};
