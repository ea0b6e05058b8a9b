import type { CardUid } from '@lintel/wire-protocol/rest/card';
import type { ProvenKey } from '@lintel/drivers/ports/card-reader';

/** What somebody has held to a reader. */
export type Tap =
  | { readonly kind: 'card'; readonly uid: CardUid }
  | { readonly kind: 'phone'; readonly key: ProvenKey };
