import type { BluetoothResultName } from '@lintel/wire-protocol/bluetooth/bluetooth-uuids-and-result-codes';
import {
  addBluetoothFragment,
  type BluetoothFragmentAssembly,
  emptyBluetoothFragmentAssembly,
  splitIntoBluetoothFragments,
} from '@lintel/wire-protocol/bluetooth/fragments';
import type { BluetoothGadgetActionRequest } from '@lintel/wire-protocol/bluetooth/messages';
import {
  answerBluetoothChallenge,
  createBluetoothHello,
  type BluetoothPhoneCredential,
  decryptBluetoothResult,
} from '@lintel/wire-protocol/bluetooth/phone-session';
import { createEphemeralKey } from '@lintel/wire-protocol/bluetooth/session-keys';
import type { PresentedControllerIdentity } from '@lintel/wire-protocol/phone/nfc-phone-protocol';

/** A connection to the Bluetooth service of a controller. Implemented by the app. */
export interface BluetoothLink {
  /** The MTU of the connection; 23 if unknown. */
  readonly mtu: number;
  /** Writes the request characteristic. */
  write(fragment: Uint8Array): Promise<void>;
  /** Reads the response characteristic. */
  read(): Promise<Uint8Array>;
}

export type OpeningResult = BluetoothResultName | 'unknown_controller';

const ATT_HEADER_BYTES = 3;
const MOST_FRAGMENTS = 128;

const sendMessage = async (link: BluetoothLink, message: Uint8Array): Promise<void> => {
  for (const fragment of splitIntoBluetoothFragments(message, link.mtu - ATT_HEADER_BYTES)) await link.write(fragment);
};

/** Null if the fragments are malformed. */
const receiveMessage = async (link: BluetoothLink): Promise<Uint8Array | null> => {
  let assembly: BluetoothFragmentAssembly = emptyBluetoothFragmentAssembly;
  for (let count = 0; count < MOST_FRAGMENTS; count += 1) {
    const step = addBluetoothFragment(assembly, await link.read());
    if (step.type === 'message') return step.message;
    if (step.type === 'malformed') return null;
    ({ assembly } = step);
  }
  return null;
};

/**
 * One exchange with the controller. `requestFor` receives the verified identity of the controller and returns the door to
 * open, or null. Rejects if the link breaks.
 */
export const openOverBluetooth = async (
  link: BluetoothLink,
  credentials: readonly BluetoothPhoneCredential[],
  requestFor: (identity: PresentedControllerIdentity) => BluetoothGadgetActionRequest | null,
): Promise<OpeningResult> => {
  const ephemeral = await createEphemeralKey();
  await sendMessage(link, createBluetoothHello(ephemeral));
  const challenge = await receiveMessage(link);
  if (challenge === null) return 'malformed';
  const answer = await answerBluetoothChallenge(ephemeral, challenge, credentials, requestFor);
  if (answer.type === 'failed') return answer.result;
  if (answer.type !== 'proof') return answer.type;
  await sendMessage(link, answer.message);
  const result = await receiveMessage(link);
  return result === null ? 'malformed' : decryptBluetoothResult(answer.session, result);
};
