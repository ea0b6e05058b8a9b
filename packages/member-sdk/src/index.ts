export { type BluetoothLink, openOverBluetooth, type OpeningResult } from './open-over-bluetooth.ts';
export { GuestApiClient, type GuestApiClientOptions, MemberApiError } from './guest-api-client.ts';
export { type DoorOpening, MemberPhone } from './member-phone.ts';
export {
  createMemoryEnrollmentStore,
  type Enrollment,
  type EnrollmentStore,
  type KeyStore,
  type MemberDoor,
  type MemberKey,
} from './key-and-enrollment-store-interfaces.ts';
export { NfcCard } from './nfc-card-emulation.ts';
export {
  createMemoryKeyPairStore,
  createWebCryptoKeyStore,
  type KeyPairStore,
  type WebCryptoKeyPair,
} from './web-crypto-keys.ts';
export {
  BLUETOOTH_COMPANY_ID,
  BLUETOOTH_REQUEST_UUID,
  BLUETOOTH_RESPONSE_UUID,
  BLUETOOTH_SERVICE_UUID,
} from '@lintel/wire-protocol/bluetooth/bluetooth-uuids-and-result-codes';
