import {
  BLUETOOTH_REQUEST_UUID,
  BLUETOOTH_RESPONSE_UUID,
  BLUETOOTH_SERVICE_UUID,
} from '@lintel/wire-protocol/bluetooth/bluetooth-uuids-and-result-codes';
import type { SimulatedRadio } from '@lintel/simulator/virtual-hardware/simulated-bluetooth-radio';
import type { Page } from 'playwright-core';

/** What a browser with Web Bluetooth sees, and what its user does. */
export interface BluetoothSurroundings {
  isSwitchedOn: boolean;
  /** The controller that the user chooses in the list; null: the user closes the list. */
  chosen: (() => SimulatedRadio) | null;
  /** Signal strength in dBm. */
  controllerRssi: number;
  /** Null: the browser cannot measure it. */
  phoneRssi: number | null;
}

/** Chromium has no radio here. The objects are those of Web Bluetooth; the exchange is that of the controller. */
const webBluetoothScript = `
  const call = (...request) => globalThis.testRadio(request);
  const expectUuid = (uuid, expected) => {
    if (!expected.includes(uuid)) throw new DOMException('No such attribute: ' + uuid, 'NotFoundError');
  };
  const createDevice = async () => {
    let connection = null;
    const gatt = {
      connect: async () => {
        connection = await call('connect');
        return gatt;
      },
      disconnect: () => void call('disconnect', connection),
      getPrimaryService: async service => {
        expectUuid(service, ['${BLUETOOTH_SERVICE_UUID}']);
        return {
          getCharacteristic: async uuid => {
            expectUuid(uuid, ['${BLUETOOTH_REQUEST_UUID}', '${BLUETOOTH_RESPONSE_UUID}']);
            return {
              writeValueWithResponse: value => call('write', connection, [...value]),
              readValue: async () => new DataView(Uint8Array.from(await call('read', connection)).buffer),
            };
          },
        };
      },
    };
    const device = Object.assign(new EventTarget(), { gatt });
    const watchAdvertisements = async () => {
      const rssi = await call('phoneRssi');
      device.dispatchEvent(Object.assign(new Event('advertisementreceived'), { rssi }));
    };
    return Object.assign(device, (await call('phoneRssi')) === null ? {} : { watchAdvertisements });
  };
  const bluetooth = {
    getAvailability: () => call('availability'),
    requestDevice: async ({ filters }) => {
      if (!navigator.userActivation.isActive) throw new DOMException('Must be handling a user gesture', 'SecurityError');
      expectUuid(filters[0].services[0], ['${BLUETOOTH_SERVICE_UUID}']);
      if (!(await call('choose'))) throw new DOMException('User cancelled', 'NotFoundError');
      return createDevice();
    },
  };
  Object.defineProperty(Navigator.prototype, 'bluetooth', { configurable: true, get: () => bluetooth });
`;

/** Gives the page Web Bluetooth, over the radio of a simulated controller. */
export const provideWebBluetooth = async (page: Page, surroundings: BluetoothSurroundings): Promise<void> => {
  const links = new Map<number, ReturnType<SimulatedRadio['connect']>>();
  const operations = {
    phoneRssi: async () => surroundings.phoneRssi,
    availability: async () => surroundings.isSwitchedOn,
    choose: async () => surroundings.chosen !== null,
    connect: async () => {
      const connection = links.size + 1;
      links.set(connection, surroundings.chosen!().connect(`browser-${connection}`, surroundings.controllerRssi));
      return connection;
    },
    disconnect: async (connection: number) => links.get(connection)?.disconnect(),
    write: (connection: number, bytes: readonly number[]) => links.get(connection)!.write(Uint8Array.from(bytes)),
    read: async (connection: number) => [...(await links.get(connection)!.read())],
  };
  await page.exposeFunction('testRadio', ([name, ...values]: [keyof typeof operations, number, number[]]) =>
    operations[name](...values),
  );
  await page.addInitScript(`(() => {${webBluetoothScript}})()`);
};

/** Chromium on some platforms has Web Bluetooth, on others not. */
export const removeWebBluetooth = (page: Page): Promise<unknown> =>
  page.addInitScript('delete Navigator.prototype.bluetooth');
