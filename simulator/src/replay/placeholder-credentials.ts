import type { TechnicianEventResponse } from '@lintel/wire-protocol/technician/live-message';
import type { LocalSnapshotMember } from '../terminal/local-snapshot-message.ts';

/** Assigned to no member: placeholder PINs never begin with 9, placeholder cards never with 08. */
export const UNASSIGNED_PIN = '999999';
export const UNASSIGNED_CARD_UID = '08ffffff';

/** A known member without access, for denials whose reason is not in the bundle. */
const memberWithoutAccess: LocalSnapshotMember = {
  id: 'mem_memberWithoutAccess',
  pins: [{ id: 'mp_memberWithoutAccess', digits: '800000' }],
  cards: [{ id: 'mc_memberWithoutAccess', uid: '04eeeeeeeeeeee' }],
  hasNoAccess: true,
};

const pinNumber = (index: number): string => `1${String(index).padStart(5, '0')}`;
const cardNumber = (index: number): string => `04${index.toString(16).padStart(12, '0')}`;

/**
 * Invented PINs and cards for the credential ids of a bundle, which contains no secrets. Their members may do everything,
 * because the bundle contains no permissions. A denial by permission is replayed with a member without access.
 */
export class PlaceholderCredentials {
  readonly members: readonly LocalSnapshotMember[];
  readonly #pins = new Map<string, string>();
  readonly #cards = new Map<string, string>();

  constructor(events: readonly TechnicianEventResponse[]) {
    const subjects = events.flatMap(({ subject }) => (subject?.member_id == null ? [] : [subject]));
    const members = [...Map.groupBy(subjects, ({ member_id }) => member_id!)].map(([id, own]) => ({
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
    this.members = [...members, memberWithoutAccess];
  }

  pin({ subject }: TechnicianEventResponse, isDenied: boolean): string {
    if (isDenied) return memberWithoutAccess.pins[0]!.digits;
    return this.#pins.get(subject?.member_pin_id ?? '') ?? UNASSIGNED_PIN;
  }

  card({ subject }: TechnicianEventResponse, isDenied: boolean): string {
    if (isDenied) return memberWithoutAccess.cards[0]!.uid;
    return this.#cards.get(subject?.member_card_id ?? '') ?? UNASSIGNED_CARD_UID;
  }
}
