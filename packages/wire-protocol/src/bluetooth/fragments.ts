import { concatenateBytes } from '../encoding/length-prefixed.ts';

/*
 * A message is split into fragments that fit into one attribute of the connection. The first byte of a fragment has its
 * number in bits 0 to 6, and bit 7 is set in the last fragment.
 */

/** The attribute size of every connection: the smallest MTU is 23, of which the header takes 3. */
export const SMALLEST_BLUETOOTH_FRAGMENT_BYTES = 20;
/** The longest value of an attribute (Bluetooth Core Specification, volume 3, part F, 3.2.9). */
export const LARGEST_BLUETOOTH_MESSAGE_BYTES = 512;
const LAST = 0x80;
const NUMBER = 0x7f;

/** `size`: the bytes that fit into one write or read, which is the MTU less 3. */
export const splitIntoBluetoothFragments = (message: Uint8Array, size: number): Uint8Array[] => {
  if (message.length === 0 || message.length > LARGEST_BLUETOOTH_MESSAGE_BYTES)
    throw new RangeError(`A message has 1 to ${LARGEST_BLUETOOTH_MESSAGE_BYTES} bytes`);
  const payload = Math.max(size, SMALLEST_BLUETOOTH_FRAGMENT_BYTES) - 1;
  const count = Math.ceil(message.length / payload);
  return Array.from({ length: count }, (_, number) =>
    concatenateBytes([
      Uint8Array.of(number === count - 1 ? number | LAST : number),
      message.subarray(number * payload, (number + 1) * payload),
    ]),
  );
};

export type BluetoothFragmentAssembly = readonly Uint8Array[];
export const emptyBluetoothFragmentAssembly: BluetoothFragmentAssembly = [];

export type BluetoothFragmentAssemblyOutcome =
  | { readonly type: 'incomplete'; readonly assembly: BluetoothFragmentAssembly }
  | { readonly type: 'message'; readonly message: Uint8Array }
  | { readonly type: 'malformed' };

/** Fragment 0 starts a message, also in place of one that was not completed. */
export const addBluetoothFragment = (
  assembly: BluetoothFragmentAssembly,
  fragment: Uint8Array,
): BluetoothFragmentAssemblyOutcome => {
  const head = fragment[0];
  if (head === undefined || fragment.length === 1) return { type: 'malformed' };
  const number = head & NUMBER;
  const pieces = [...(number === 0 ? emptyBluetoothFragmentAssembly : assembly), fragment.slice(1)];
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (number !== pieces.length - 1 || length > LARGEST_BLUETOOTH_MESSAGE_BYTES) return { type: 'malformed' };
  return (head & LAST) === 0
    ? { type: 'incomplete', assembly: pieces }
    : { type: 'message', message: concatenateBytes(pieces) };
};
