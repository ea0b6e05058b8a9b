import type { TechnicianEvent } from '@lintel/wire-protocol/technician/live';
import type { TrialMember } from '../terminal/trial-slice.ts';

/** Nobody has them: no stand-in's PIN begins with a 9, and no stand-in's card with 08. */
export const UNKNOWN_PIN = '999999';
export const UNKNOWN_CARD = '08ffffff';

/** Known, and never allowed: for whoever was denied for a reason that is not in the bundle. */
const outsider: TrialMember = {
  id: 'mem_outsider',
  pins: [{ id: 'mp_outsider', digits: '800000' }],
  cards: [{ id: 'mc_outsider', uid: '04eeeeeeeeeeee' }],
  mayNothing: true,
};

const pinNumber = (index: number): string => `1${String(index).padStart(5, '0')}`;
const cardNumber = (index: number): string => `04${index.toString(16).padStart(12, '0')}`;

/**
 * A bundle names the credentials that were used by their ids, never by what they are. Each gets an invented PIN or card, and
 * its member may do everything: who might do what, and when, is not in the bundle. Whoever was denied for that is played by
 * somebody who may nothing, because a denied PIN is a wrong entry and leaves the door as it was.
 */
export class StandIns {
  readonly members: readonly TrialMember[];
  readonly #pins = new Map<string, string>();
  readonly #cards = new Map<string, string>();

  constructor(events: readonly TechnicianEvent[]) {
    const subjects = events.flatMap(({ subject }) => (subject?.member_id == null ? [] : [subject]));
    const insiders = [...Map.groupBy(subjects, ({ member_id }) => member_id!)].map(([id, own]) => ({
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
    this.members = [...insiders, outsider];
  }

  pin({ subject }: TechnicianEvent, isOutside: boolean): string {
    if (isOutside) return outsider.pins[0]!.digits;
    return this.#pins.get(subject?.member_pin_id ?? '') ?? UNKNOWN_PIN;
  }

  card({ subject }: TechnicianEvent, isOutside: boolean): string {
    if (isOutside) return outsider.cards[0]!.uid;
    return this.#cards.get(subject?.member_card_id ?? '') ?? UNKNOWN_CARD;
  }
}
