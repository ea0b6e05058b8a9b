import {
  BLUETOOTH_REQUEST_UUID,
  BLUETOOTH_RESPONSE_UUID,
  BLUETOOTH_SERVICE_UUID,
  type BluetoothLink,
} from '@lintel/member-sdk';

/*
 * The part of Web Bluetooth that this page uses. TypeScript has no types for it, because only Chromium implements it.
 * https://webbluetoothcg.github.io/web-bluetooth/
 */

interface GattCharacteristic {
  readValue(): Promise<DataView>;
  writeValueWithResponse(value: Uint8Array): Promise<void>;
}

interface GattServer {
  connect(): Promise<GattServer>;
  disconnect(): void;
  getPrimaryService(uuid: string): Promise<{ getCharacteristic(uuid: string): Promise<GattCharacteristic> }>;
}

export interface WebBluetoothDevice extends EventTarget {
  readonly gatt: GattServer;
  /** Missing in most browsers. */
  readonly watchAdvertisements?: (options: { readonly signal: AbortSignal }) => Promise<void>;
}

export interface WebBluetooth {
  getAvailability(): Promise<boolean>;
  requestDevice(options: {
    readonly filters: readonly { readonly services: readonly string[] }[];
  }): Promise<WebBluetoothDevice>;
}

declare global {
  interface Navigator {
    readonly bluetooth?: WebBluetooth;
  }
}

/** Browsers do not tell the MTU, so the smallest one is used. */
const SMALLEST_MTU = 23;
const RSSI_TIMEOUT_MS = 2000;

/** The browser shows a list of nearby controllers. Rejects with `NotFoundError` if none is chosen. */
export const chooseNearbyDevice = (bluetooth: WebBluetooth): Promise<WebBluetoothDevice> =>
  bluetooth.requestDevice({ filters: [{ services: [BLUETOOTH_SERVICE_UUID] }] });

/** Connects for the duration of the work. */
export const withBluetoothLink = async <T>(
  { gatt }: WebBluetoothDevice,
  work: (link: BluetoothLink) => Promise<T>,
): Promise<T> => {
  const server = await gatt.connect();
  try {
    const service = await server.getPrimaryService(BLUETOOTH_SERVICE_UUID);
    const request = await service.getCharacteristic(BLUETOOTH_REQUEST_UUID);
    const response = await service.getCharacteristic(BLUETOOTH_RESPONSE_UUID);
    return await work({
      mtu: SMALLEST_MTU,
      write: fragment => request.writeValueWithResponse(fragment),
      read: async () => {
        const { buffer, byteOffset, byteLength } = await response.readValue();
        return new Uint8Array(buffer, byteOffset, byteLength);
      },
    });
  } finally {
    gatt.disconnect();
  }
};

/** The signal strength of the next advertisement in dBm; undefined in a browser that cannot measure it. */
export const measureRssi = async (device: WebBluetoothDevice): Promise<number | undefined> => {
  if (device.watchAdvertisements === undefined) return undefined;
  const watching = new AbortController();
  const received = new Promise<number | undefined>(resolve => {
    device.addEventListener('advertisementreceived', event => resolve((event as Event & { rssi?: number }).rssi), {
      signal: watching.signal,
    });
    AbortSignal.timeout(RSSI_TIMEOUT_MS).addEventListener('abort', () => resolve(undefined));
  });
  try {
    await device.watchAdvertisements({ signal: watching.signal });
    return await received;
  } catch {
    return undefined;
  } finally {
    watching.abort();
  }
};
