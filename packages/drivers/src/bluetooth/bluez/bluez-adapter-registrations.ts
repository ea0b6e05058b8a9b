import {
  BLUETOOTH_COMPANY_ID,
  BLUETOOTH_SERVICE_UUID,
} from '@lintel/wire-protocol/bluetooth/bluetooth-uuids-and-result-codes';
import type { BluetoothPhoneConnections } from '../phone-connections.ts';
import { type DbusConnection, type ReceivedDbusVariants, findVariantValue } from './dbus-connection.ts';
import { GATT_APPLICATION_PATH, exportGattApplication } from './gatt-application.ts';

const BLUEZ = 'org.bluez';
const PROPERTIES = 'org.freedesktop.DBus.Properties';
const OBJECT_MANAGER = 'org.freedesktop.DBus.ObjectManager';
const ADVERTISING = 'org.bluez.LEAdvertisingManager1';
const GATT = 'org.bluez.GattManager1';
const DEVICE = 'org.bluez.Device1';
const ADVERTISEMENT_PATH = `${GATT_APPLICATION_PATH}/advertisement`;

type ManagedObjects = readonly (readonly [
  path: string,
  interfaces: readonly (readonly [string, ReceivedDbusVariants])[],
])[];

interface BluezAdapterOptions {
  /** Such as hci0; null: the first one. */
  readonly name: string | null;
  readonly phones: BluetoothPhoneConnections;
  /** Called when the registrations may be lost. */
  readonly onChange: () => void;
}

/** The registrations of the service and the advertisement at one adapter of BlueZ. */
export class BluezAdapterRegistrations {
  readonly #bus: DbusConnection;
  readonly #options: BluezAdapterOptions;
  /** Null while the service is not registered. */
  #path: string | null = null;
  /** What is advertised, in hexadecimal; null if nothing is. */
  #advertised: string | null = null;
  readonly #advertisement = {
    Type: 'peripheral',
    ServiceUUIDs: [BLUETOOTH_SERVICE_UUID],
    ManufacturerData: [] as unknown,
    Release: () => null,
  };

  private constructor(bus: DbusConnection, options: BluezAdapterOptions) {
    this.#bus = bus;
    this.#options = options;
  }

  static async attach(bus: DbusConnection, options: BluezAdapterOptions): Promise<BluezAdapterRegistrations> {
    const adapter = new BluezAdapterRegistrations(bus, options);
    exportGattApplication(bus, options.phones);
    bus.export(
      ADVERTISEMENT_PATH,
      {
        name: 'org.bluez.LEAdvertisement1',
        methods: { Release: ['', ''] },
        properties: { Type: 's', ServiceUUIDs: 'as', ManufacturerData: 'a{qv}' },
      },
      adapter.#advertisement,
    );
    // bluetoothd asks for it. Without an answer dbus-native writes a line to stderr.
    bus.export(
      ADVERTISEMENT_PATH,
      { name: OBJECT_MANAGER, methods: { GetManagedObjects: ['', 'a{oa{sa{sv}}}'] } },
      { GetManagedObjects: () => [] },
    );
    const owner = `type='signal',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='${BLUEZ}'`;
    await bus.onSignal(owner, ({ member, body }) => {
      if (member === 'NameOwnerChanged' && body[0] === BLUEZ) adapter.#forget();
    });
    const changes = `type='signal',sender='${BLUEZ}',interface='${PROPERTIES}',member='PropertiesChanged',arg0='${DEVICE}'`;
    await bus.onSignal(changes, ({ member, path, body: [changed, values] }) => {
      if (member === 'PropertiesChanged' && changed === DEVICE) adapter.#onDevice(path, values as ReceivedDbusVariants);
    });
    return adapter;
  }

  /** `bluetoothd` was started or stopped. */
  #forget(): void {
    this.#path = null;
    this.#advertised = null;
    this.#options.onChange();
  }

  #onDevice(path: string, values: ReceivedDbusVariants): void {
    if (findVariantValue(values, 'Connected') === false) this.#options.phones.disconnect(path);
  }

  /** Registers what is missing. Rejects while BlueZ or the adapter is absent. */
  async update(identifier: Uint8Array | null): Promise<void> {
    const path = this.#path ?? (await this.#register());
    this.#path = path;
    const wanted = identifier === null ? null : Buffer.from(identifier).toString('hex');
    if (wanted === this.#advertised) return;
    if (this.#advertised !== null)
      await this.#call(path, ADVERTISING, 'UnregisterAdvertisement', 'o', [ADVERTISEMENT_PATH]);
    this.#advertised = null;
    if (identifier === null) return;
    this.#advertisement.ManufacturerData = [[BLUETOOTH_COMPANY_ID, ['ay', Buffer.from(identifier)]]];
    await this.#call(path, ADVERTISING, 'RegisterAdvertisement', 'oa{sv}', [ADVERTISEMENT_PATH, []]);
    this.#advertised = wanted;
  }

  async #register(): Promise<string> {
    const path = await this.#findAdapter();
    await this.#call(path, PROPERTIES, 'Set', 'ssv', ['org.bluez.Adapter1', 'Powered', ['b', true]]);
    await this.#call(path, GATT, 'RegisterApplication', 'oa{sv}', [GATT_APPLICATION_PATH, []]);
    return path;
  }

  async #findAdapter(): Promise<string> {
    const objects = (await this.#call('/', OBJECT_MANAGER, 'GetManagedObjects')) as ManagedObjects;
    const { name } = this.#options;
    const found = objects.find(([path, interfaces]) => {
      const names = new Set(interfaces.map(([key]) => key));
      return (name === null || path.endsWith(`/${name}`)) && names.has(GATT) && names.has(ADVERTISING);
    });
    if (found === undefined)
      throw new Error(name === null ? 'No adapter that can advertise' : `No adapter ${name} that can advertise`);
    return found[0];
  }

  #call(path: string, name: string, member: string, signature = '', body: readonly unknown[] = []): Promise<unknown> {
    const parameters = signature === '' ? {} : { signature, body };
    return this.#bus.call({ destination: BLUEZ, path, interface: name, member, ...parameters });
  }

  /** Null if BlueZ does not report it, as for most connected phones. */
  async rssiOf(phone: string): Promise<number | null> {
    try {
      const value = (await this.#call(phone, PROPERTIES, 'Get', 'ss', [DEVICE, 'RSSI'])) as readonly [
        unknown,
        readonly unknown[],
      ];
      const rssi = value[1][0];
      return typeof rssi === 'number' ? rssi : null;
    } catch {
      return null;
    }
  }

  close(): void {
    this.#bus.close();
  }
}
