import type { CardUid } from '@lintel/wire-protocol/rest/card';
import type { ProvenPhoneKey } from '@lintel/drivers/ports/card-reader';

/** A card or phone that was held to a reader. */
export type Tap =
  | { readonly kind: 'card'; readonly uid: CardUid }
  | { readonly kind: 'phone'; readonly key: ProvenPhoneKey };
