import { BLUETOOTH_COMPANY_ID, BLUETOOTH_REQUEST_UUID, BLUETOOTH_RESPONSE_UUID } from '@lintel/member-sdk';
import { type DbusConnection, findVariantValue, type ReceivedDbusVariants } from '@lintel/drivers/dbus';

const PROPERTIES = 'org.freedesktop.DBus.Properties';
const ADAPTER = 'org.bluez.Adapter1';
const DEVICE = 'org.bluez.Device1';
const CHARACTERISTIC = 'org.bluez.GattCharacteristic1';

interface BluezObject {
  readonly path: string;
  readonly properties: ReceivedDbusVariants;
}

type ManagedObjects = readonly (readonly [string, readonly (readonly [string, ReceivedDbusVariants])[]])[];

export interface FoundController {
  readonly path: string;
  /** From its advertisement, in hexadecimal. */
  readonly identifier: string;
}

/** The phone's side of Bluetooth: scans, connects, reads and writes characteristics with one adapter of BlueZ. */
export class BluezCentral {
  readonly #bus: DbusConnection;
  readonly #adapter: string;

  constructor(bus: DbusConnection, adapterName: string) {
    this.#bus = bus;
    this.#adapter = `/org/bluez/${adapterName}`;
  }

  #call(path: string, name: string, member: string, signature = '', body: readonly unknown[] = []): Promise<unknown> {
    const parameters = signature === '' ? {} : { signature, body };
    return this.#bus.call({ destination: 'org.bluez', path, interface: name, member, ...parameters });
  }

  async #objects(wanted: string): Promise<readonly BluezObject[]> {
    const manager = 'org.freedesktop.DBus.ObjectManager';
    const objects = (await this.#call('/', manager, 'GetManagedObjects')) as ManagedObjects;
    return objects.flatMap(([path, interfaces]) => {
      const properties = interfaces.find(([name]) => name === wanted)?.[1];
      return properties === undefined || !path.startsWith(this.#adapter) ? [] : [{ path, properties }];
    });
  }

  async startScan(): Promise<void> {
    await this.#call(this.#adapter, PROPERTIES, 'Set', 'ssv', [ADAPTER, 'Powered', ['b', true]]);
    const filter = [
      ['Transport', ['s', 'le']],
      ['DuplicateData', ['b', true]],
    ];
    await this.#call(this.#adapter, ADAPTER, 'SetDiscoveryFilter', 'a{sv}', [filter]);
    await this.#call(this.#adapter, ADAPTER, 'StartDiscovery');
  }

  /** BlueZ connects faster while it does not scan. */
  async stopScan(): Promise<void> {
    await this.#call(this.#adapter, ADAPTER, 'StopDiscovery');
  }

  /** The controller that the scan has found; null for none. */
  async findController(): Promise<FoundController | null> {
    for (const { path, properties } of await this.#objects(DEVICE)) {
      const advertised = (findVariantValue(properties, 'ManufacturerData') ?? []) as readonly (readonly [
        number,
        readonly [unknown, readonly [Buffer]],
      ])[];
      const data = advertised.find(([company]) => company === BLUETOOTH_COMPANY_ID)?.[1][1][0];
      if (data !== undefined) return { path, identifier: Buffer.from(data).toString('hex') };
    }
    return null;
  }

  async connect(device: string): Promise<void> {
    await this.#call(device, DEVICE, 'Connect');
  }

  async disconnect(device: string): Promise<void> {
    await this.#call(device, DEVICE, 'Disconnect');
  }

  async #characteristic(device: string, uuid: string): Promise<BluezObject | undefined> {
    return (await this.#objects(CHARACTERISTIC)).find(
      ({ path, properties }) => path.startsWith(`${device}/`) && findVariantValue(properties, 'UUID') === uuid,
    );
  }

  async #pathOf(device: string, uuid: string): Promise<string> {
    const found = await this.#characteristic(device, uuid);
    if (found === undefined) throw new Error(`The controller has no characteristic ${uuid}`);
    return found.path;
  }

  /** The MTU of the connection; null until BlueZ knows the characteristics. */
  async mtuOf(device: string): Promise<number | null> {
    const found = await this.#characteristic(device, BLUETOOTH_RESPONSE_UUID);
    return found === undefined ? null : Number(findVariantValue(found.properties, 'MTU') ?? 23);
  }

  async write(device: string, value: Buffer): Promise<void> {
    const path = await this.#pathOf(device, BLUETOOTH_REQUEST_UUID);
    await this.#call(path, CHARACTERISTIC, 'WriteValue', 'aya{sv}', [value, []]);
  }

  async read(device: string): Promise<Buffer> {
    const path = await this.#pathOf(device, BLUETOOTH_RESPONSE_UUID);
    return Buffer.from((await this.#call(path, CHARACTERISTIC, 'ReadValue', 'a{sv}', [[]])) as Uint8Array);
  }
}
