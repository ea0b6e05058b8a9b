import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { PinDigits } from '@lintel/access-core/pin-digits';
import { digestKeyId } from '@lintel/device-link/identity/digest-key';
import { credentialDigestInput } from '@lintel/wire-protocol/mqtt/credential-digest';
import type { CardUid } from '@lintel/wire-protocol/rest/card';

/** PINs and cards as the slice names them: keyed with this device's own key. */
export class CredentialDigests {
  readonly keyId: string;
  readonly #key: KeyObject;
  /** The last digit of a PIN asks three times for the same. */
  #last: { readonly kind: 'pin' | 'card'; readonly value: string; readonly digest: string } | null = null;

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
    if (this.#last?.kind === kind && this.#last.value === value) return this.#last.digest;
    const digest = createHmac('sha256', this.#key).update(credentialDigestInput(kind, value)).digest('hex');
    this.#last = { kind, value, digest };
    return digest;
  }
}
