import type { FeedbackPatterns } from '@lintel/hardware-profiles/stations';
import { gadgetsOf } from '@lintel/hardware-profiles/gadgets-of';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import type { FeedbackChanges } from '../ports/feedback.ts';
import type { GadgetWiring, StationWiring, Wiring } from '../ports/wiring.ts';
import type { CardReader } from '../ports/card-reader.ts';
import type { Keypad } from '../ports/keypad.ts';
import type { WiredPlace } from './gadget-places.ts';
import type { PersistedPlaces } from './persisted-places.ts';
import type { VirtualHardware } from './opened-bus.ts';

/** The places of a profile where a gadget of the desk can hang. */
export const placesOf = (profile: Profile): readonly WiredPlace[] => {
  const inWords = gadgetsOf(profile);
  return profile.gadgets.map(({ key, name }, index) => ({
    key,
    name,
    action_ids: new Set(inWords[index]?.actions.map(({ id }) => id)),
  }));
};

/** Every refusal looks the same: the door does not say why. */
const feedbackOf = ({ refused, ...others }: FeedbackPatterns): FeedbackChanges =>
  refused === undefined ? others : { ...others, refused, denied: refused, dropped: refused };

interface WiredParts {
  readonly keypads: ReadonlyMap<string, Keypad>;
  readonly readers: ReadonlyMap<string, CardReader>;
  readonly gadgets: ReadonlyMap<string, GadgetWiring>;
  readonly places: PersistedPlaces;
  readonly lines: NonNullable<Wiring['lines']>;
  /** Null in a program without simulated parts. */
  readonly virtual: VirtualHardware | null;
}

/** What the firmware has to know of a product's wires. */
export const profileWiring = (profile: Profile, parts: WiredParts): Wiring => {
  const stations = Object.entries(profile.stations).map(
    ([
      id,
      {
        keypad,
        reader,
        indicator: { green, red, buzzer },
      },
    ]): StationWiring => ({
      id,
      keypad: parts.keypads.get(keypad ?? '') ?? null,
      reader: parts.readers.get(reader ?? '') ?? null,
      indicator: { green: green ?? null, red: red ?? null, buzzer: buzzer ?? null },
    }),
  );
  const firstStation = stations[0]?.id ?? '';
  return {
    stations,
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
