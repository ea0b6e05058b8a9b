import type { FeedbackPatterns } from '@lintel/hardware-profiles/reader-unit-and-feedback-schemas';
import { toApiGadgets } from '@lintel/hardware-profiles/api-gadgets';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import type { FeedbackOverrides } from '../interfaces/feedback-kinds.ts';
import type { BluetoothRadioWiring, GadgetWiring, ReaderUnitWiring, Wiring } from '../interfaces/wiring.ts';
import type { CardReader } from '../interfaces/card-reader.ts';
import type { Keypad } from '../interfaces/keypad.ts';
import type { AssignableProfileGadget } from './gadget-assignment.ts';
import type { PersistedGadgetAssignments } from './persisted-gadget-assignments.ts';
import type { SimulatedHardwareOpener } from './hardware-driver-context.ts';

/** The slots of a profile that gadgets of the organization can be assigned to. */
export const listAssignableProfileGadgets = (profile: Profile): readonly AssignableProfileGadget[] => {
  const inWords = toApiGadgets(profile);
  return profile.gadgets.map(({ key, name }, index) => ({
    key,
    name,
    action_ids: new Set(inWords[index]?.actions.map(({ id }) => id)),
  }));
};

/** All denials give the same feedback, so that the door does not reveal the reason. */
const feedbackOf = ({ refused, ...others }: FeedbackPatterns): FeedbackOverrides =>
  refused === undefined ? others : { ...others, refused, denied: refused, dropped: refused };

interface WiredParts {
  readonly keypads: ReadonlyMap<string, Keypad>;
  readonly readers: ReadonlyMap<string, CardReader>;
  readonly gadgets: ReadonlyMap<string, GadgetWiring>;
  readonly places: PersistedGadgetAssignments;
  readonly lines: NonNullable<Wiring['lines']>;
  readonly bluetooth: BluetoothRadioWiring | null;
  /** Null in a program without simulated parts. */
  readonly virtual: SimulatedHardwareOpener | null;
}

/** The wiring of a product for the firmware. */
export const createProfileWiring = (profile: Profile, parts: WiredParts): Wiring => {
  const stations = Object.entries(profile.stations).map(
    ([
      id,
      {
        keypad,
        reader,
        indicator: { green, red, buzzer },
      },
    ]): ReaderUnitWiring => ({
      id,
      keypad: parts.keypads.get(keypad ?? '') ?? null,
      reader: parts.readers.get(reader ?? '') ?? null,
      indicator: { green: green ?? null, red: red ?? null, buzzer: buzzer ?? null },
    }),
  );
  const firstStation = stations[0]?.id ?? '';
  return {
    stations,
    bluetooth: parts.bluetooth,
    tamper: profile.tamper ?? null,
    setup_button: profile.setup_button ?? null,
    lines: parts.lines,
    feedback: feedbackOf(profile.feedback),
    gadget: (gadget, place, own) => {
      const key = parts.places.place(own).get(gadget.id) ?? null;
      if (key !== null) return parts.gadgets.get(key) ?? null;
      return profile.other_gadgets === 'simulated'
        ? (parts.virtual?.wireGadget(gadget, place, firstStation) ?? null)
        : null;
    },
  };
};
