import {
  type BluetoothResultName,
  RSSI_UNKNOWN,
} from '@lintel/wire-protocol/bluetooth/bluetooth-uuids-and-result-codes';
import { isRotatingIdentifierOfController } from '@lintel/wire-protocol/bluetooth/rotating-controller-identifier';
import type { BluetoothPhoneCredential } from '@lintel/wire-protocol/bluetooth/phone-session';
import { fromBase64url, toBase64url } from '@lintel/wire-protocol/encoding/base64url';
import type { GuestMembership } from '@lintel/wire-protocol/guest/guest-api';
import type { PresentedControllerIdentity } from '@lintel/wire-protocol/phone/nfc-phone-protocol';
import { type BluetoothLink, openOverBluetooth, type OpeningResult } from './open-over-bluetooth.ts';
import type { GuestApiClient } from './guest-api-client.ts';
import type {
  Enrollment,
  EnrollmentStore,
  KeyStore,
  MemberDoor,
  MemberKey,
} from './key-and-enrollment-store-interfaces.ts';
import { NfcCard } from './nfc-card-emulation.ts';

interface MemberPhoneOptions {
  readonly api: Pick<GuestApiClient, 'me' | 'registerKey' | 'deleteKey'>;
  readonly keys: KeyStore;
  readonly enrollments: EnrollmentStore;
}

export interface DoorOpening {
  readonly door: MemberDoor;
  /** Default: the first action of the door. */
  readonly action_id?: string;
  /** Signal strength of the advertisement in dBm, if the phone can measure it. */
  readonly rssi?: number;
}

const doorsOf = (organization_id: string, { sites }: GuestMembership): MemberDoor[] =>
  sites.flatMap(site =>
    site.gadgets.map(({ id, device_id, name, actions }) => ({
      organization_id,
      device_id,
      gadget_id: id,
      name,
      site_name: site.name,
      actions: actions.map(action => ({ id: action.id, name: action.name })),
    })),
  );

const isDoorOf = ({ organization_id, device_id }: PresentedControllerIdentity, door: MemberDoor): boolean =>
  door.organization_id === organization_id && door.device_id === device_id;

/** A phone with the memberships of its owner. Enrolling needs the bridge; opening doors needs only the controller. */
export class MemberPhone {
  readonly #options: MemberPhoneOptions;

  constructor(options: MemberPhoneOptions) {
    this.#options = options;
  }

  /**
   * Registers a key for each membership of the session and stores the doors. Call it after signing in, and again to update
   * the doors. A membership that is no longer in the session keeps its doors until `forget`.
   */
  async enroll(): Promise<readonly Enrollment[]> {
    const { api, enrollments } = this.#options;
    const { memberships } = await api.me();
    const current: Enrollment[] = [];
    for (const membership of memberships) {
      const { member_id, organization_name } = membership;
      const { publicKey } = await this.#keyOf(member_id);
      const registered = await api.registerKey(member_id, toBase64url(publicKey));
      const { member_token_id, organization_id, bluetooth_key } = registered;
      const doors = doorsOf(organization_id, membership);
      current.push({ member_id, member_token_id, organization_id, organization_name, bluetooth_key, doors });
    }
    const ids = new Set(current.map(({ member_id }) => member_id));
    const others = (await enrollments.read()).filter(({ member_id }) => !ids.has(member_id));
    const all = [...others, ...current];
    await enrollments.write(all);
    return all;
  }

  /**
   * Stores the current doors of the memberships that are already enrolled, without registering a key. A phone whose token was
   * deleted therefore stays denied until its owner enrolls it again.
   */
  async updateDoors(memberships: readonly GuestMembership[]): Promise<void> {
    const { enrollments } = this.#options;
    const stored = await enrollments.read();
    const updated = stored.map(enrollment => {
      const membership = memberships.find(({ member_id }) => member_id === enrollment.member_id);
      if (membership === undefined) return enrollment;
      const { organization_name } = membership;
      return { ...enrollment, organization_name, doors: doorsOf(enrollment.organization_id, membership) };
    });
    await enrollments.write(updated);
  }

  enrollments(): Promise<readonly Enrollment[]> {
    return this.#options.enrollments.read();
  }

  /** Deletes a membership with its key from the phone only. */
  async forget(memberId: string): Promise<void> {
    const { keys, enrollments } = this.#options;
    await enrollments.write((await enrollments.read()).filter(({ member_id }) => member_id !== memberId));
    await keys.delete(memberId);
  }

  /**
   * Deletes all memberships with their keys, from the bridge and from the phone. Call it before signing out. Deletes them from
   * the phone also if the bridge does not respond: returns the members whose key the bridge still has.
   */
  async withdraw(): Promise<readonly string[]> {
    const { api, enrollments } = this.#options;
    const remaining: string[] = [];
    for (const { member_id, member_token_id } of await enrollments.read()) {
      await api.deleteKey(member_token_id).catch(() => remaining.push(member_id));
      await this.forget(member_id);
    }
    return remaining;
  }

  async doors(): Promise<readonly MemberDoor[]> {
    return (await this.#options.enrollments.read()).flatMap(({ doors }) => doors);
  }

  /** The doors of the controller with this identifier in its advertisement; empty if it is unknown. */
  async recognize(identifier: Uint8Array): Promise<readonly MemberDoor[]> {
    for (const { bluetooth_key, doors } of await this.#options.enrollments.read()) {
      const key = fromBase64url(bluetooth_key);
      for (const deviceId of key === null ? [] : new Set(doors.map(({ device_id }) => device_id)))
        if (await isRotatingIdentifierOfController(identifier, key!, deviceId))
          return doors.filter(({ device_id }) => device_id === deviceId);
    }
    return [];
  }

  /**
   * The doors of the connected controller, for apps that cannot see advertisements. Empty for a controller without a door of
   * this phone. The phone reveals nothing. Returns the error if the controller sends one.
   */
  async identifyController(link: BluetoothLink): Promise<readonly MemberDoor[] | BluetoothResultName> {
    const doors = await this.doors();
    let found: readonly MemberDoor[] = [];
    const result = await openOverBluetooth(link, await this.#credentials(), identity => {
      found = doors.filter(door => isDoorOf(identity, door));
      return null;
    });
    return result === 'unknown_controller' ? found : result;
  }

  /** Opens a door of the connected controller. `unknown_controller`: the door belongs to another controller. */
  async openDoor(link: BluetoothLink, { door, action_id, rssi }: DoorOpening): Promise<OpeningResult> {
    const action = action_id ?? door.actions[0]?.id;
    if (action === undefined) throw new RangeError(`${door.name} has no action`);
    const request = { gadget_id: door.gadget_id, action_id: action, rssi: rssi ?? RSSI_UNKNOWN };
    const credentials = await this.#credentials(door);
    return openOverBluetooth(link, credentials, identity => (isDoorOf(identity, door) ? request : null));
  }

  /** The card emulation of this phone, with the keys that are stored now. */
  async nfcCard(): Promise<NfcCard> {
    const keys = new Map<string, MemberKey>();
    for (const { organization_id, member_id } of await this.#options.enrollments.read()) {
      const key = await this.#options.keys.find(member_id);
      if (key !== null) keys.set(organization_id, key);
    }
    return new NfcCard(({ organization_id }) => keys.get(organization_id) ?? null);
  }

  async #keyOf(memberId: string): Promise<MemberKey> {
    const { keys } = this.#options;
    return (await keys.find(memberId)) ?? keys.create(memberId);
  }

  /** The credentials of the memberships that have the door, or of all of them. */
  async #credentials(door?: MemberDoor): Promise<BluetoothPhoneCredential[]> {
    const credentials: BluetoothPhoneCredential[] = [];
    for (const { organization_id, member_id, bluetooth_key, doors } of await this.#options.enrollments.read()) {
      const hasDoor = door === undefined || doors.some(({ gadget_id }) => gadget_id === door.gadget_id);
      const bluetoothKey = fromBase64url(bluetooth_key);
      const key = hasDoor ? await this.#options.keys.find(member_id) : null;
      if (key !== null && bluetoothKey !== null) credentials.push({ organization_id, bluetoothKey, ...key });
    }
    return credentials;
  }
}
