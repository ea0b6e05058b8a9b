import type { PinDigits } from '@lintel/access-core/pin-digits';
import { computeDigestKeyId } from '@lintel/device-link/identity/digest-key-id-and-encoding';
import { type CredentialDigester, createCredentialDigester } from '@lintel/crypto/credential-digester';
import type { DigestedCredentialKind } from '@lintel/wire-protocol/mqtt/credential-digest-input';
import type { CardUid } from '@lintel/wire-protocol/rest/card-uid';
import type { MagicLinkToken } from '@lintel/wire-protocol/guest/magic-link-url';

/** Digests of PINs, cards and magic links under this device's key, as in the snapshot. */
export class DeviceCredentialDigester {
  readonly keyId: string;
  readonly #digest: CredentialDigester;
  /** Cached, because the last digit of a PIN needs the same digest three times. */
  #last: { readonly kind: DigestedCredentialKind; readonly value: string; readonly digest: string } | null = null;

  constructor(key: Uint8Array) {
    this.#digest = createCredentialDigester(key);
    this.keyId = computeDigestKeyId(key);
  }

  pin(digits: PinDigits): string {
    return this.#of('pin', digits);
  }

  card(uid: CardUid): string {
    return this.#of('card', uid);
  }

  magicLink(token: MagicLinkToken): string {
    return this.#of('magic_link', token);
  }

  #of(kind: DigestedCredentialKind, value: string): string {
    if (this.#last?.kind === kind && this.#last.value === value) return this.#last.digest;
    const digest = this.#digest(kind, value);
    this.#last = { kind, value, digest };
    return digest;
  }
}
