import type { GuestContact, GuestMembership, GuestPinsResponse } from '@lintel/wire-protocol/guest/guest-api';

/*
 * What the page keeps on this phone for times without a connection: whom to call, and, if the organization allows it, what
 * to type at the doors.
 */

const CONTACT = 'lintel-guest-contact';
const PINS = 'lintel-guest-pins';

export interface StoredPins extends GuestPinsResponse {
  readonly member_id: string;
  readonly ends_at: string | null;
}

/** Storage can be full, switched off, or changed by hand. */
const read = <T>(key: string): T | null => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as T | null;
  } catch {
    return null;
  }
};

const write = (key: string, value: object | null): void => {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch (error) {
    console.warn('This phone keeps nothing for times without a connection', error);
  }
};

export const readStoredContact = (): GuestContact | null => read<GuestContact>(CONTACT);
export const storeContact = (contact: GuestContact): void => write(CONTACT, contact);

export const forgetPins = (): void => write(PINS, null);

/** Of a stay that has not ended by the clock of the phone. */
export const readStoredPins = (now: number): StoredPins | null => {
  const stored = read<StoredPins>(PINS);
  if (stored === null) return null;
  if (stored.ends_at === null || Date.parse(stored.ends_at) > now) return stored;
  forgetPins();
  return null;
};

/** Only if the organization allows it. */
export const storePins = ({ member_id, ends_at, pins }: GuestMembership, revealed: GuestPinsResponse): void => {
  if (pins === 'offline') write(PINS, { ...revealed, member_id, ends_at } satisfies StoredPins);
};

/** After each answer of the bridge: what it does not allow any more is forgotten, and a changed end is kept. */
export const updateStoredPins = (memberships: readonly GuestMembership[]): void => {
  const stored = read<StoredPins>(PINS);
  if (stored === null) return;
  const membership = memberships.find(({ member_id }) => member_id === stored.member_id);
  if (membership?.pins === 'offline') write(PINS, { ...stored, ends_at: membership.ends_at });
  else forgetPins();
};
