import type { CardUid } from '@lintel/wire-protocol/rest/card-uid';
import type { MagicLinkToken } from '@lintel/wire-protocol/guest/magic-link-url';
import type { ProvenPhoneKey } from '@lintel/drivers/interfaces';

/** A card, a phone or the QR code of a magic link that was held to a reader. */
export type Tap =
  | { readonly kind: 'card'; readonly uid: CardUid }
  | { readonly kind: 'phone'; readonly key: ProvenPhoneKey }
  | { readonly kind: 'magic_link'; readonly token: MagicLinkToken };
