import type { PinDigits } from '@lintel/access-core/pin-digits';
import { digestKeyId } from '@lintel/device-link/identity/digest-key';
import { type Digester, digesterOf } from '@lintel/crypto/credential-digester';
import type { CardUid } from '@lintel/wire-protocol/rest/card';

/** PINs and cards as the snapshot names them: keyed with this device's own key. */
export class CredentialDigests {
  readonly keyId: string;
  readonly #digest: Digester;
  /** The last digit of a PIN asks three times for the same. */
  #last: { readonly kind: 'pin' | 'card'; readonly value: string; readonly digest: string } | null = null;

  constructor(key: Uint8Array) {
    this.#digest = digesterOf(key);
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
    const digest = this.#digest(kind, value);
    this.#last = { kind, value, digest };
    return digest;
  }
}
