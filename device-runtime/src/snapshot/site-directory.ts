import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import { BLUETOOTH_KEY_BYTES } from '@lintel/wire-protocol/bluetooth/bluetooth-uuids-and-result-codes';
import { fromBase64url } from '@lintel/wire-protocol/encoding/base64url';
import {
  siteDirectoryMqttMessageSchema,
  type SiteDirectoryMqttMessage,
} from '@lintel/wire-protocol/mqtt/messages/site-directory';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';

export type SiteDevice = SiteDirectoryMqttMessage['devices'][number];
export type SiteGadget = SiteDevice['gadgets'][number] & { readonly device_id: SiteDevice['id'] };

interface SiteDirectoryDependencies {
  readonly state: ControllerStateStore;
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly onChange: () => void;
}

const REQUEST_INTERVAL_MS = 15_000;

/**
 * All gadgets of the site, for technicians who edit rules: a snapshot contains only the gadgets of existing rules. It is
 * requested when a technician opens the rules, and saved. Contains the Bluetooth key of the organization too.
 */
export class SiteDirectory {
  readonly #parts: SiteDirectoryDependencies;
  #directory: SiteDirectoryMqttMessage;
  #nextRequestAt: MonotonicTime | null = null;
  #onUpdateRequested: () => void = () => undefined;

  constructor(parts: SiteDirectoryDependencies) {
    this.#parts = parts;
    this.#directory = siteDirectoryMqttMessageSchema.safeParse(parts.state.read('site_directory')).data ?? {
      v: 1,
      devices: [],
    };
  }

  get devices(): readonly SiteDevice[] {
    return this.#directory.devices;
  }

  get gadgets(): readonly SiteGadget[] {
    return this.devices.flatMap(({ id: device_id, gadgets }) => gadgets.map(gadget => ({ ...gadget, device_id })));
  }

  actionsOf(gadgetId: string): readonly string[] | undefined {
    return this.gadgets.find(({ id }) => id === gadgetId)?.actions.map(({ id }) => id);
  }

  /** Null until the bridge has sent it, which is requested then. */
  bluetoothKey(): Uint8Array | null {
    const key = fromBase64url(this.#directory.bluetooth_key ?? '');
    if (key?.length === BLUETOOTH_KEY_BYTES) return key;
    this.requestUpdate();
    return null;
  }

  /** Requests an update, unless one was just requested. */
  requestUpdate(): void {
    const now = this.#parts.clock.now();
    if (this.#nextRequestAt !== null && now < this.#nextRequestAt) return;
    this.#nextRequestAt = addMilliseconds(now, REQUEST_INTERVAL_MS);
    this.#onUpdateRequested();
  }

  onUpdateRequested(listener: () => void): void {
    this.#onUpdateRequested = listener;
  }

  update(directory: SiteDirectoryMqttMessage): void {
    if (JSON.stringify(directory) === JSON.stringify(this.#directory)) return;
    this.#directory = directory;
    this.#parts.state.write('site_directory', directory);
    this.#parts.onChange();
  }

  clear(): void {
    this.#nextRequestAt = null;
    this.update({ v: 1, devices: [] });
  }
}
