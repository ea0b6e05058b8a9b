import * as z from 'zod';

/** An Ed25519 public key. */
export const ed25519PublicKeySchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, { error: 'must be 32 bytes in base64url' });
