import type { TechnicianEvent } from '@lintel/wire-protocol/technician/live';
import type { TrialMember } from '../terminal/trial-slice.ts';

/** Nobody has them: no stand-in's PIN begins with a 9, and no stand-in's card with 08. */
export const UNKNOWN_PIN = '999999';
export const UNKNOWN_CARD = '08ffffff';

const pinNumber = (index: number): string => `1${String(index).padStart(5, '0')}`;
const cardNumber = (index: number): string => `04${index.toString(16).padStart(12, '0')}`;

/**
 * A bundle names the credentials that were used by their ids, never by what they are. Each gets an invented PIN or card, and
 * its member may do everything: who might do what, and when, is not in the bundle.
 */
export class StandIns {
  readonly members: readonly TrialMember[];
  readonly #pins = new Map<string, string>();
  readonly #cards = new Map<string, string>();

  constructor(events: readonly TechnicianEvent[]) {
    const subjects = events.flatMap(({ subject }) => (subject?.member_id == null ? [] : [subject]));
    this.members = [...Map.groupBy(subjects, ({ member_id }) => member_id!)].map(([id, own]) => ({
      id,
      pins: [...new Set(own.flatMap(({ member_pin_id }) => member_pin_id ?? []))].map(pin => {
        const digits = pinNumber(this.#pins.size);
        this.#pins.set(pin, digits);
        return { id: pin, digits };
      }),
      cards: [...new Set(own.flatMap(({ member_card_id }) => member_card_id ?? []))].map(card => {
        const uid = cardNumber(this.#cards.size);
        this.#cards.set(card, uid);
        return { id: card, uid };
      }),
    }));
  }

  pin({ subject }: TechnicianEvent): string {
    return this.#pins.get(subject?.member_pin_id ?? '') ?? UNKNOWN_PIN;
  }

  card({ subject }: TechnicianEvent): string {
    return this.#cards.get(subject?.member_card_id ?? '') ?? UNKNOWN_CARD;
  }
}
