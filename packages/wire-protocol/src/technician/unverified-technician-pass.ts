import { fromBase64url } from '../encoding/base64url.ts';
import { parseJsonBytes } from '../encoding/parse-json-bytes.ts';

/** What the holder of a pass needs to know. The controller verifies the signature. */
export interface UnverifiedTechnicianPassContent {
  readonly id: string;
  readonly public_key: string;
  readonly expires_at: number;
}

/** Returns null for text that is not a technician pass. Does not verify anything. */
export const readUnverifiedTechnicianPass = (text: string): UnverifiedTechnicianPassContent | null => {
  const [payload = '', signature] = text.trim().split('.');
  const bytes = signature === undefined ? null : fromBase64url(payload);
  const json = bytes === null ? null : parseJsonBytes(bytes);
  if (json === null || !json.ok) return null;
  const { id, public_key, expires_at } = Object(json.value) as Partial<
    Record<keyof UnverifiedTechnicianPassContent, unknown>
  >;
  if (typeof id !== 'string' || typeof public_key !== 'string' || typeof expires_at !== 'number') return null;
  return { id, public_key, expires_at };
};
