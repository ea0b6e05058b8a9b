import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { PinDigits } from '@lintel/access-core/pin-digits';
import { digestKeyId } from '@lintel/device-link/identity/digest-key';
import { credentialDigestInput } from '@lintel/wire-protocol/mqtt/credential-digest';
import type { CardUid } from '@lintel/wire-protocol/rest/card';

/** PINs and cards as the slice names them: keyed with this device's own key. */
export class CredentialDigests {
  readonly keyId: string;
  readonly #key: KeyObject;

  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key);
    this.keyId = digestKeyId(key);
  }

  pin(digits: PinDigits): string {
    return this.#of('pin', digits);
  }

  card(uid: CardUid): string {
    return this.#of('card', uid);
  }

  #of(kind: 'pin' | 'card', value: string): string {
    return createHmac('sha256', this.#key).update(credentialDigestInput(kind, value)).digest('hex');
  }
}
