import {
  BLUETOOTH_REQUEST_UUID,
  BLUETOOTH_RESPONSE_UUID,
  BLUETOOTH_SERVICE_UUID,
} from '@lintel/wire-protocol/bluetooth/bluetooth-uuids-and-result-codes';
import type { BluetoothPhoneConnections } from '../phone-connections.ts';
import {
  type DbusConnection,
  type ReceivedDbusVariants,
  findVariantValue,
  type DbusVariants,
} from './dbus-connection.ts';

export const GATT_APPLICATION_PATH = '/net/lintel/bluetooth';
const SERVICE_PATH = `${GATT_APPLICATION_PATH}/service`;
const SMALLEST_MTU = 23;
const ATT_HEADER_BYTES = 3;

const characteristics = [
  { path: `${SERVICE_PATH}/request`, uuid: BLUETOOTH_REQUEST_UUID, flags: ['write', 'write-without-response'] },
  { path: `${SERVICE_PATH}/response`, uuid: BLUETOOTH_RESPONSE_UUID, flags: ['read'] },
] as const;

const managedObjects = [
  [
    SERVICE_PATH,
    [
      [
        'org.bluez.GattService1',
        [
          ['UUID', ['s', BLUETOOTH_SERVICE_UUID]],
          ['Primary', ['b', true]],
        ] satisfies DbusVariants,
      ],
    ],
  ],
  ...characteristics.map(({ path, uuid, flags }) => [
    path,
    [
      [
        'org.bluez.GattCharacteristic1',
        [
          ['UUID', ['s', uuid]],
          ['Service', ['o', SERVICE_PATH]],
          ['Flags', ['as', flags]],
        ] satisfies DbusVariants,
      ],
    ],
  ]),
];

/** The object path of the phone, which is unique for a connection. */
const phoneOf = (options: ReceivedDbusVariants): string =>
  (findVariantValue(options, 'device') as string | undefined) ?? '';

const sizeOf = (options: ReceivedDbusVariants): number =>
  Math.max(Number(findVariantValue(options, 'mtu') ?? 0), SMALLEST_MTU) - ATT_HEADER_BYTES;

/** Exports the service with its characteristics, in the form that `RegisterApplication` of BlueZ expects. */
export const exportGattApplication = (bus: DbusConnection, phones: BluetoothPhoneConnections): void => {
  bus.export(
    GATT_APPLICATION_PATH,
    { name: 'org.freedesktop.DBus.ObjectManager', methods: { GetManagedObjects: ['', 'a{oa{sa{sv}}}'] } },
    { GetManagedObjects: () => managedObjects },
  );
  const characteristic = {
    name: 'org.bluez.GattCharacteristic1',
    methods: { ReadValue: ['a{sv}', 'ay'], WriteValue: ['aya{sv}', ''] },
  } as const;
  const [request, response] = characteristics;
  bus.export(request.path, characteristic, {
    WriteValue: async (value: Uint8Array, options: ReceivedDbusVariants) => {
      await phones.write(phoneOf(options), Uint8Array.from(value));
      return null;
    },
  });
  bus.export(response.path, characteristic, {
    ReadValue: async (options: ReceivedDbusVariants) =>
      Buffer.from(await phones.read(phoneOf(options), sizeOf(options))),
  });
};
