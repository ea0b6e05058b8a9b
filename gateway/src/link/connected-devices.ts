import type { DeviceId } from '@lintel/access-core/ids';
import type { Log } from '@lintel/service/log-function-type';
import type { Timers } from '@lintel/service/timing/timers';
import { buildDeviceDownlinkFilter } from '@lintel/wire-protocol/mqtt/topics';

export interface ConnectedDevicesDependencies {
  readonly subscribe: (filters: readonly string[]) => Promise<void>;
  readonly unsubscribe: (filters: readonly string[]) => Promise<void>;
  readonly announce: (devices: readonly DeviceId[]) => void;
  /** The downlink topic of the device is subscribed and the bridge knows where it is: its messages can be forwarded. */
  readonly onReady: (device: DeviceId) => void;
  readonly timers: Timers;
  readonly log: Log;
}

/** Devices that connect within this time are announced together. */
const BATCH_MS = 10;
/** Delay before a rejected subscription is retried: the bridge may not know a new device yet. */
const RETRY_MS = 1000;

/** The devices connected to the gateway, the subscriptions for them at the bridge, and their announcement to it. */
export class ConnectedDevices {
  readonly #deps: ConnectedDevicesDependencies;
  /** With the time of the connection, on the caller's monotonic clock. */
  readonly #connected = new Map<DeviceId, number>();
  readonly #known = new Set<DeviceId>();
  #subscribed = new Set<DeviceId>();
  #ready = new Set<DeviceId>();
  /** Rejections already logged in this session. */
  readonly #rejected = new Set<DeviceId>();
  #announced: string | null = null;
  /** Results of calls that an earlier session made are ignored. */
  #session = 0;
  #isOnline = false;
  #isScheduled = false;
  #isUpdating = false;

  constructor(deps: ConnectedDevicesDependencies) {
    this.#deps = deps;
  }

  /** The connected devices with their connection times. */
  connected(): ReadonlyMap<DeviceId, number> {
    return this.#connected;
  }

  isConnected(device: string): boolean {
    return this.#connected.has(device as DeviceId);
  }

  /** Whether it has been connected since the start of the gateway. */
  wasConnected(device: DeviceId): boolean {
    return this.#known.has(device);
  }

  isReady(device: DeviceId): boolean {
    return this.#ready.has(device);
  }

  isSubscribed(device: DeviceId): boolean {
    return this.#subscribed.has(device);
  }

  deviceConnected(device: DeviceId, since: number): void {
    this.#connected.set(device, since);
    this.#known.add(device);
    this.#ready.delete(device);
    this.#schedule();
  }

  deviceDisconnected(device: DeviceId): void {
    this.#connected.delete(device);
    this.#ready.delete(device);
    this.#schedule();
  }

  devicesToSubscribe(): DeviceId[] {
    return [...this.#connected.keys()];
  }

  /** `subscribed`: the devices whose filters were part of the connection. */
  setOnline(subscribed: readonly DeviceId[]): void {
    this.#session++;
    this.#isOnline = true;
    this.#subscribed = new Set(subscribed);
    this.#ready = new Set();
    this.#announced = null;
    this.#rejected.clear();
    this.#schedule();
  }

  setOffline(): void {
    this.#session++;
    this.#isOnline = false;
    this.#subscribed = new Set();
    this.#ready = new Set();
  }

  #schedule(): void {
    if (!this.#isOnline || this.#isScheduled) return;
    this.#isScheduled = true;
    this.#deps.timers.after(BATCH_MS, () => {
      this.#isScheduled = false;
      void this.#update();
    });
  }

  async #update(): Promise<void> {
    if (this.#isUpdating) return this.#schedule();
    this.#isUpdating = true;
    const session = this.#session;
    try {
      await this.#updateSubscriptions(session);
    } finally {
      this.#isUpdating = false;
    }
    if (session !== this.#session) return;
    if (this.devicesToSubscribe().some(id => !this.#subscribed.has(id)))
      this.#deps.timers.after(RETRY_MS, () => this.#schedule());
    this.#announce();
    const newlyReady = [...this.#connected.keys()].filter(id => this.#subscribed.has(id) && !this.#ready.has(id));
    for (const device of newlyReady) this.#ready.add(device);
    for (const device of newlyReady) this.#deps.onReady(device);
  }

  async #updateSubscriptions(session: number): Promise<void> {
    const { subscribe, unsubscribe, log } = this.#deps;
    const required = new Set(this.devicesToSubscribe());
    const missing = [...required].filter(id => !this.#subscribed.has(id));
    const obsolete = [...this.#subscribed].filter(id => !required.has(id));
    const markSubscribed = (devices: readonly DeviceId[]) => (): void => {
      if (session === this.#session) for (const id of devices) this.#subscribed.add(id);
    };
    try {
      if (missing.length > 0) await subscribe(missing.map(buildDeviceDownlinkFilter)).then(markSubscribed(missing));
    } catch {
      // One rejected filter fails the whole request, so the filters are retried one by one.
      for (const id of missing) {
        await subscribe([buildDeviceDownlinkFilter(id)])
          .then(markSubscribed([id]))
          .catch(() => {
            if (session !== this.#session || this.#rejected.has(id)) return;
            this.#rejected.add(id);
            log('warn', 'The bridge rejects the subscription for a device', { device_id: id });
          });
      }
    }
    if (obsolete.length === 0 || session !== this.#session) return;
    for (const id of obsolete) this.#subscribed.delete(id);
    await unsubscribe(obsolete.map(buildDeviceDownlinkFilter)).catch(() => undefined);
  }

  #announce(): void {
    const devices = [...this.#connected.keys()].toSorted();
    const announced = devices.join(' ');
    if (announced === this.#announced) return;
    this.#announced = announced;
    this.#deps.announce(devices);
  }
}
