import {
  completePhoneResponse,
  type PhoneSelectionState,
  preparePhoneResponse,
} from '@lintel/wire-protocol/phone/phone-responder';
import type { PresentedControllerIdentity } from '@lintel/wire-protocol/phone/nfc-phone-protocol';
import type { MemberKey } from './member-storage.ts';

/** Answers the commands of an NFC reader, in the card emulation of the phone. */
export class NfcCard {
  readonly #keyFor: (reader: PresentedControllerIdentity) => MemberKey | null;
  #state: PhoneSelectionState = 'idle';

  /** `keyFor` returns null for an organization that the phone has no key for. */
  constructor(keyFor: (reader: PresentedControllerIdentity) => MemberKey | null) {
    this.#keyFor = keyFor;
  }

  /** The response to one command APDU. */
  async respond(apdu: Uint8Array): Promise<Uint8Array> {
    const step = preparePhoneResponse(this.#state, apdu, this.#keyFor);
    this.#state = step.state;
    if (step.type === 'response') return step.response;
    return completePhoneResponse(step.key.publicKey, await step.key.sign(step.signingBytes));
  }

  /** Call it when the phone left the reader. */
  reset(): void {
    this.#state = 'idle';
  }
}
