import type { CardUid } from '@lintel/wire-protocol/rest/card';
import type { ProvenKey } from '../ports/card-reader.ts';

/** What somebody has held to a reader. */
export type Tap =
  | { readonly kind: 'card'; readonly uid: CardUid }
  | { readonly kind: 'phone'; readonly key: ProvenKey };
