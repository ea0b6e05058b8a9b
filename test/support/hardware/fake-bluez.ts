import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createClient } from '@httptoolkit/dbus-native';

/** A message bus of its own, with the rights of the user that runs the test. */
export class PrivateBus {
  readonly address: string;
  readonly #process: ChildProcess;

  private constructor(address: string, process: ChildProcess) {
    this.address = address;
    this.#process = process;
  }

  static async start(folder: string): Promise<PrivateBus> {
    const address = `unix:path=${folder}/bus`;
    const daemon = spawn('dbus-daemon', ['--session', '--nofork', '--print-address', `--address=${address}`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(daemon.stdout, 'data');
    return new PrivateBus(address, daemon);
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill();
    await exited;
  }
}

type Properties = readonly (readonly [string, readonly [unknown, readonly unknown[]]])[];

interface Message {
  readonly sender: string;
}

interface Bus {
  readonly connection: { readonly stream: { destroy(): void } };
  invoke(message: object, callback: (error: unknown, value: unknown) => void): void;
  exportInterface(implementation: object, path: string, description: object): void;
  requestName(name: string, flags: number, callback: (error: unknown) => void): void;
  sendSignal(path: string, iface: string, name: string, signature: string, body: readonly unknown[]): void;
}

export interface Advertisement {
  readonly serviceUuids: readonly string[];
  readonly company: number;
  readonly data: Buffer;
}

const ADAPTER = '/org/bluez/hci0';

/**
 * BlueZ as its D-Bus interface shows it: an adapter, registration of services and advertisements, and phones that write
 * and read characteristics. It fetches the registered objects from the program, as `bluetoothd` does.
 */
export class FakeBluez {
  readonly #bus: Bus;
  readonly advertisements: Advertisement[] = [];
  /** The characteristics of the registered service, by UUID. */
  readonly characteristics = new Map<string, { readonly path: string; readonly flags: unknown }>();
  isAdvertising = false;
  #program = '';

  private constructor(bus: Bus) {
    this.#bus = bus;
  }

  static async start(address: string, { hasAdapter = true } = {}): Promise<FakeBluez> {
    const bus = createClient({ busAddress: address } as object) as unknown as Bus;
    const bluez = new FakeBluez(bus);
    bluez.#export(hasAdapter);
    await new Promise<void>((resolve, reject) =>
      bus.requestName('org.bluez', 0, error => (error === null ? resolve() : reject(error))),
    );
    return bluez;
  }

  #export(hasAdapter: boolean): void {
    const interfaces = ['org.bluez.Adapter1', 'org.bluez.GattManager1', 'org.bluez.LEAdvertisingManager1'];
    const objects = hasAdapter ? [[ADAPTER, interfaces.map(name => [name, []])]] : [];
    this.#bus.exportInterface({ GetManagedObjects: () => objects }, '/', {
      name: 'org.freedesktop.DBus.ObjectManager',
      methods: { GetManagedObjects: ['', 'a{oa{sa{sv}}}'] },
    });
    this.#bus.exportInterface({ Powered: false }, ADAPTER, {
      name: 'org.bluez.Adapter1',
      methods: {},
      properties: { Powered: 'b' },
    });
    const register = (path: string, _options: unknown, { sender }: Message) => this.#registerApplication(path, sender);
    this.#bus.exportInterface({ RegisterApplication: register }, ADAPTER, {
      name: 'org.bluez.GattManager1',
      methods: { RegisterApplication: ['oa{sv}', ''] },
    });
    const advertising = {
      RegisterAdvertisement: (path: string, _options: unknown, { sender }: Message) =>
        this.#registerAdvertisement(path, sender),
      UnregisterAdvertisement: () => {
        this.isAdvertising = false;
        return null;
      },
    };
    this.#bus.exportInterface(advertising, ADAPTER, {
      name: 'org.bluez.LEAdvertisingManager1',
      methods: { RegisterAdvertisement: ['oa{sv}', ''], UnregisterAdvertisement: ['o', ''] },
    });
  }

  #call(path: string, name: string, member: string, signature = '', body: readonly unknown[] = []): Promise<unknown> {
    const parameters = signature === '' ? {} : { signature, body };
    const message = { destination: this.#program, path, interface: name, member, ...parameters };
    return new Promise((resolve, reject) =>
      this.#bus.invoke(message, (error, value) => (error === null ? resolve(value) : reject(error))),
    );
  }

  async #registerApplication(path: string, sender: string): Promise<null> {
    this.#program = sender;
    const objects = (await this.#call(path, 'org.freedesktop.DBus.ObjectManager', 'GetManagedObjects')) as [
      string,
      [string, Properties][],
    ][];
    for (const [object, interfaces] of objects)
      for (const [name, properties] of interfaces) {
        if (name !== 'org.bluez.GattCharacteristic1') continue;
        const values = Object.fromEntries(properties.map(([key, [, [value]]]) => [key, value]));
        this.characteristics.set(String(values['UUID']), { path: object, flags: values['Flags'] });
      }
    return null;
  }

  async #registerAdvertisement(path: string, sender: string): Promise<null> {
    this.#program = sender;
    const properties = 'org.freedesktop.DBus.Properties';
    const all = (await this.#call(path, properties, 'GetAll', 's', ['org.bluez.LEAdvertisement1'])) as Properties;
    const values = Object.fromEntries(all.map(([key, [, [value]]]) => [key, value]));
    const [[company, [, [data]]]] = values['ManufacturerData'] as [[number, [unknown, [Buffer]]]];
    this.advertisements.push({ serviceUuids: values['ServiceUUIDs'] as string[], company, data });
    this.isAdvertising = true;
    return null;
  }

  /** The connection of a phone, as an attribute client. */
  phone(name: string, mtu: number, uuids: { readonly request: string; readonly response: string }) {
    const device = `${ADAPTER}/dev_${name}`;
    const options = [
      ['device', ['o', device]],
      ['mtu', ['q', mtu]],
    ];
    const characteristic = 'org.bluez.GattCharacteristic1';
    const pathOf = (uuid: string): string => this.characteristics.get(uuid)!.path;
    return {
      mtu,
      write: async (fragment: Uint8Array): Promise<void> => {
        const body = [Buffer.from(fragment), options];
        await this.#call(pathOf(uuids.request), characteristic, 'WriteValue', 'aya{sv}', body);
      },
      read: async (): Promise<Uint8Array> =>
        Uint8Array.from(
          (await this.#call(pathOf(uuids.response), characteristic, 'ReadValue', 'a{sv}', [options])) as Buffer,
        ),
      disconnect: (): void => {
        const changed = ['org.bluez.Device1', [['Connected', ['b', false]]], []];
        const properties = 'org.freedesktop.DBus.Properties';
        this.#bus.sendSignal(device, properties, 'PropertiesChanged', 'sa{sv}as', changed);
      },
    };
  }

  stop(): void {
    this.#bus.connection.stream.destroy();
  }
}
