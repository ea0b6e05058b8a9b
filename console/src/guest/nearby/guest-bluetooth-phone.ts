import {
  createWebCryptoKeyStore,
  type Enrollment,
  type MemberDoor,
  MemberPhone,
  type OpeningResult,
} from '@lintel/member-sdk';
import type { GuestMembership } from '@lintel/wire-protocol/guest/guest-api';
import { guestApi, type GuestApiError, type GuestApiResult } from '../guest-api.ts';
import { enrollmentDatabase, keyPairDatabase } from './phone-database.ts';
import {
  chooseNearbyDevice,
  measureRssi,
  type WebBluetoothDevice,
  withBluetoothLink,
  type WebBluetooth,
} from './web-bluetooth.ts';

/** The bridge refused to register or delete this phone, or is not reachable. */
export class PhoneEnrollmentError extends Error {
  override readonly name = 'PhoneEnrollmentError';
  readonly error: GuestApiError;

  constructor(error: GuestApiError) {
    super(error.kind);
    this.error = error;
  }
}

const unwrap = async <T>(answer: Promise<GuestApiResult<T>>): Promise<T> => {
  const result = await answer;
  if (result.ok) return result.value;
  throw new PhoneEnrollmentError(result.error);
};

/** A controller that the guest chose, with the doors of this phone at it. */
export interface NearbyController {
  readonly doors: readonly MemberDoor[];
  open(door: MemberDoor, actionId: string): Promise<OpeningResult>;
}

/** This browser as a phone that opens doors over Bluetooth. */
export class GuestBluetoothPhone {
  readonly #bluetooth: WebBluetooth;
  readonly #phone = new MemberPhone({
    api: {
      me: () => unwrap(guestApi.me()),
      deleteKey: async memberTokenId => void (await unwrap(guestApi.deletePhone(memberTokenId))),
      registerKey: (member_id, public_key) => unwrap(guestApi.registerPhone({ member_id, public_key })),
    },
    keys: createWebCryptoKeyStore(keyPairDatabase),
    enrollments: enrollmentDatabase,
  });

  constructor(bluetooth: WebBluetooth) {
    this.#bluetooth = bluetooth;
  }

  /** Registers the memberships of the session. Rejects with `PhoneEnrollmentError`. */
  async enroll(): Promise<void> {
    await this.#phone.enroll();
    // Otherwise the browser may delete the key when it needs space.
    await navigator.storage?.persist?.().catch(() => false);
  }

  enrollments(): Promise<readonly Enrollment[]> {
    return this.#phone.enrollments();
  }

  updateDoors(memberships: readonly GuestMembership[]): Promise<void> {
    return this.#phone.updateDoors(memberships);
  }

  /** Deletes the keys from this phone, and from the bridge if it responds. */
  async withdraw(): Promise<void> {
    await this.#phone.withdraw();
  }

  isSwitchedOn(): Promise<boolean> {
    return this.#bluetooth.getAvailability();
  }

  /** Lets the guest choose a controller. Must be called by a tap. Returns an error of the controller if it sends one. */
  async choose(): Promise<NearbyController | Exclude<OpeningResult, 'granted'>> {
    const device = await chooseNearbyDevice(this.#bluetooth);
    const doors = await withBluetoothLink(device, link => this.#phone.identifyController(link));
    if (typeof doors === 'string') return doors === 'granted' ? 'malformed' : doors;
    if (doors.length === 0) return 'unknown_controller';
    return { doors, open: (door, actionId) => this.#open(device, door, actionId) };
  }

  async #open(device: WebBluetoothDevice, door: MemberDoor, action_id: string): Promise<OpeningResult> {
    const rssi = await measureRssi(device);
    const opening = { door, action_id, ...(rssi === undefined ? {} : { rssi }) };
    return withBluetoothLink(device, link => this.#phone.openDoor(link, opening));
  }
}
