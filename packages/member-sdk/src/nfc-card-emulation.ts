import {
  completeNfcPhoneResponse,
  type NfcPhoneSelectionState,
  prepareNfcPhoneResponse,
} from '@lintel/wire-protocol/phone/nfc-phone-responder';
import type { PresentedControllerIdentity } from '@lintel/wire-protocol/phone/nfc-phone-protocol';
import type { MemberKey } from './key-and-enrollment-store-interfaces.ts';

/** Answers the commands of an NFC reader, in the card emulation of the phone. */
export class NfcCard {
  readonly #keyFor: (reader: PresentedControllerIdentity) => MemberKey | null;
  #state: NfcPhoneSelectionState = 'idle';

  /** `keyFor` returns null for an organization that the phone has no key for. */
  constructor(keyFor: (reader: PresentedControllerIdentity) => MemberKey | null) {
    this.#keyFor = keyFor;
  }

  /** The response to one command APDU. */
  async respond(apdu: Uint8Array): Promise<Uint8Array> {
    const step = prepareNfcPhoneResponse(this.#state, apdu, this.#keyFor);
    this.#state = step.state;
    if (step.type === 'response') return step.response;
    return completeNfcPhoneResponse(step.key.publicKey, await step.key.sign(step.signingBytes));
  }

  /** Call it when the phone left the reader. */
  reset(): void {
    this.#state = 'idle';
  }
}
