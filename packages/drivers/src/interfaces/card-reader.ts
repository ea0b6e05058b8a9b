import type { BrandedType } from '@lintel/access-core/branded-type';
import type { CardUid } from '@lintel/wire-protocol/rest/card-uid';
import type { MagicLinkToken } from '@lintel/wire-protocol/guest/magic-link-url';
import type { PartFaultListener } from './part-fault.ts';
import type { ReaderSignalQuality } from './reader-signal-quality.ts';

/** The public key of a member token, in base64url, that a phone has just proven to hold. */
export type ProvenPhoneKey = BrandedType<string, 'ProvenKey'>;

/** Reports each tap once: a card that stays on the reader is not reported again until it was removed. */
export interface CardReader {
  onCard(listener: (uid: CardUid) => void): void;
  /** For readers that support phones. A phone that proves a key is reported here and not as a card. */
  onPhone?(listener: (key: ProvenPhoneKey) => void): void;
  /** For QR readers: the token of a magic link, which is a secret. */
  onMagicLink?(listener: (token: MagicLinkToken) => void): void;
  onFault(listener: PartFaultListener): void;
  /** For readers whose driver measures it. Null while the driver is not attached. */
  signal?(): ReaderSignalQuality | null;
}
