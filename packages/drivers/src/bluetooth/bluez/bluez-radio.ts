import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { PartHealth } from '../../part-health/part-health.ts';
import type { BluetoothRadio } from '../../interfaces/bluetooth-radio.ts';
import { BluetoothPhoneConnections, type BluetoothPhoneConnectionsOptions } from '../phone-connections.ts';
import { BluezAdapterRegistrations } from './bluez-adapter-registrations.ts';
import { DbusConnection } from './dbus-connection.ts';

export interface BluezRadioOptions extends Omit<BluetoothPhoneConnectionsOptions, 'rssiOf' | 'clock'> {
  readonly busAddress: string;
  /** Such as hci0; null: the first one. */
  readonly adapter: string | null;
  readonly clock: MonotonicClock;
  readonly log: Log;
  /** The identifier to advertise now; null while there is none. */
  readonly identifier: () => Promise<Uint8Array | null>;
}

const TICK_MS = 5_000;

/** Errors of D-Bus in words. */
const describeError = ({ message }: Error): string => {
  if (/ServiceUnknown|NameHasNoOwner/.test(message)) return 'The Bluetooth service (bluetoothd) is not running';
  if (message.includes('AccessDenied')) return 'No permission to use BlueZ: the user must be in the group bluetooth';
  if (/ENOENT|ECONNREFUSED/.test(message)) return 'The system message bus (D-Bus) is not running';
  return message;
};

/**
 * The radio of the controller through BlueZ. Keeps the service registered and the advertisement current, also after a
 * restart of `bluetoothd` or of the message bus.
 */
export class BluezRadio implements BluetoothRadio {
  readonly #options: BluezRadioOptions;
  readonly #health = new PartHealth();
  readonly #phones: BluetoothPhoneConnections;
  #adapter: BluezAdapterRegistrations | null = null;
  #cancelTick: () => void = () => undefined;
  #work: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: BluezRadioOptions) {
    this.#options = options;
    this.#phones = new BluetoothPhoneConnections({
      ...options,
      rssiOf: async phone => this.#adapter?.rssiOf(phone) ?? null,
    });
  }

  onRequest(listener: Parameters<BluetoothRadio['onRequest']>[0]): void {
    this.#phones.onRequest(listener);
  }

  onWrongProof(listener: () => void): void {
    this.#phones.onWrongProof(listener);
  }

  onFault(listener: Parameters<BluetoothRadio['onFault']>[0]): void {
    this.#health.onFault(listener);
  }

  /** Resolves after the first attempt. */
  start(): Promise<void> {
    return this.#tick();
  }

  #tick(): Promise<void> {
    this.#cancelTick();
    this.#work = this.#work.then(() => this.#update());
    return this.#work;
  }

  async #update(): Promise<void> {
    if (this.#isClosed) return;
    try {
      this.#adapter ??= await this.#connect();
      await this.#adapter.update(await this.#options.identifier());
      this.#health.clear();
    } catch (error) {
      this.#health.fail('absent', `Bluetooth: ${describeError(error as Error)}`);
    }
    const { clock } = this.#options;
    this.#cancelTick = clock.wake(addMilliseconds(clock.now(), TICK_MS), () => void this.#tick());
  }

  async #connect(): Promise<BluezAdapterRegistrations> {
    const { busAddress, clock, adapter: name } = this.#options;
    const bus = await DbusConnection.open(busAddress, clock);
    const options = { name, phones: this.#phones, onChange: () => void this.#tick() };
    const adapter = await BluezAdapterRegistrations.attach(bus, options).catch((error: unknown) => {
      bus.close();
      throw error;
    });
    void this.#reconnectAfter(bus, adapter);
    return adapter;
  }

  async #reconnectAfter({ closed }: DbusConnection, adapter: BluezAdapterRegistrations): Promise<void> {
    await closed;
    if (this.#adapter === adapter) this.#adapter = null;
    await this.#tick();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTick();
    await this.#work;
    this.#adapter?.close();
  }
}
