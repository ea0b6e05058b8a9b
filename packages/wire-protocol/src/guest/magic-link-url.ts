import type { BrandedType } from '@lintel/access-core/branded-type';

/** The secret of a magic link: 32 random bytes in base64url. */
export type MagicLinkToken = BrandedType<string, 'MagicLinkToken'>;

const TOKEN = '[A-Za-z0-9_-]{43}';
const LINK = new RegExp(`^(?:https?://[^\\s?#]{1,300}/g/)?(?<token>${TOKEN})$`);

export const formatMagicLinkUrl = (publicUrl: string, token: string): string => `${publicUrl}/g/${token}`;

/** The token in the text of a QR code: a magic link or only its token. Null for any other text. */
export const parseMagicLinkQrText = (text: string): MagicLinkToken | null =>
  (LINK.exec(text)?.groups?.['token'] ?? null) as MagicLinkToken | null;
