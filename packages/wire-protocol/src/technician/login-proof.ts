import { toBase64url } from '../encoding/base64url.ts';
import { encodeLengthPrefixed } from '../encoding/length-prefixed.ts';
import type { TechnicianChallengeResponse, TechnicianLoginRequest } from './login.ts';
import { readUnverifiedTechnicianPass } from './unverified-technician-pass.ts';

const DOMAIN = 'lintel technician login 1';

export interface TechnicianLoginProofContent
  extends Pick<TechnicianChallengeResponse, 'challenge' | 'device_id' | 'fingerprint'> {
  readonly pass_id: string;
}

/**
 * Signed with ECDSA P-256 and SHA-256 by the key of the technician pass; 64 bytes, as in WebCrypto. Names the controller
 * of the challenge, so that the signature is useless at another controller.
 */
export const encodeTechnicianLoginProofSigningBytes = ({
  challenge,
  device_id,
  fingerprint,
  pass_id,
}: TechnicianLoginProofContent): Uint8Array =>
  encodeLengthPrefixed([DOMAIN, device_id, fingerprint, challenge, pass_id]);

/** The body of a login with a pass. `sign` uses the key of the pass. Returns null for text that is not a pass. */
export const createTechnicianPassLoginRequest = async (
  pass: string,
  challenge: TechnicianChallengeResponse,
  sign: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>,
): Promise<TechnicianLoginRequest | null> => {
  const content = readUnverifiedTechnicianPass(pass);
  if (content === null) return null;
  const signature = await sign(encodeTechnicianLoginProofSigningBytes({ ...challenge, pass_id: content.id }));
  return { pass: pass.trim(), challenge: challenge.challenge, signature: toBase64url(signature) };
};
