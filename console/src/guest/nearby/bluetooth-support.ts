import type { WebBluetooth } from './web-bluetooth.ts';

export type BluetoothSupport =
  | { readonly kind: 'supported'; readonly bluetooth: WebBluetooth }
  /** The page was not loaded over HTTPS, so browsers offer neither Bluetooth nor keys. */
  | { readonly kind: 'insecure' }
  | { readonly kind: 'no_bluetooth' }
  /** The browser has Bluetooth, but not the algorithms of the protocol or no storage for keys. */
  | { readonly kind: 'no_keys' };

/** Private windows of some browsers have no IndexedDB. */
const canKeepKeys = async (): Promise<boolean> => {
  if (typeof indexedDB === 'undefined') return false;
  try {
    await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
    await crypto.subtle.generateKey('X25519', false, ['deriveBits']);
    return true;
  } catch {
    return false;
  }
};

/** Whether it makes sense to detect more. */
export const hasWebBluetooth = (): boolean => isSecureContext && navigator.bluetooth !== undefined;

export const detectBluetoothSupport = async (): Promise<BluetoothSupport> => {
  if (!isSecureContext) return { kind: 'insecure' };
  const { bluetooth } = navigator;
  if (bluetooth === undefined) return { kind: 'no_bluetooth' };
  return (await canKeepKeys()) ? { kind: 'supported', bluetooth } : { kind: 'no_keys' };
};
