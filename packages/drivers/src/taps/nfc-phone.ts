import { verifyEd25519 } from '@lintel/crypto/verify-ed25519';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { encodeEd25519Pkcs8, parseMemberTokenSeed } from '@lintel/wire-protocol/phone/member-token-seed';
import {
  beginNfcPhoneAuthentication,
  continueNfcPhoneAuthentication,
  type NfcPhoneAuthenticationStep,
  type VerifyEd25519,
} from '@lintel/wire-protocol/phone/nfc-phone-authentication';
import {
  type PresentedControllerIdentity,
  NFC_PHONE_CHALLENGE_BYTES,
} from '@lintel/wire-protocol/phone/nfc-phone-protocol';
import type { PhoneKey } from '@lintel/wire-protocol/phone/nfc-phone-responder';
import { createPrivateKey, createPublicKey, randomBytes as secureRandomBytes, sign } from 'node:crypto';
import type { BusContext } from '../definition/context.ts';
import type { ProvenPhoneKey } from '../interfaces/card-reader.ts';

/** The key pair of a member token; null if the text is not a token. */
export const toPhoneKey = (token: string): PhoneKey | null => {
  const seed = parseMemberTokenSeed(token);
  if (seed === null) return null;
  const key = createPrivateKey({ key: Buffer.from(encodeEd25519Pkcs8(seed)), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { publicKey: new Uint8Array(Buffer.from(x, 'base64url')), sign: message => sign(null, message, key) };
};

const verifyPhone: VerifyEd25519 = (publicKey, message, signature) =>
  verifyEd25519(Buffer.from(publicKey).toString('base64url'), message, signature);

/** Sends one APDU and returns the response. Rejects if the card has left. */
export type TransmitApdu = (apdu: Uint8Array) => Promise<Uint8Array>;

export interface NfcPhoneAuthenticatorOptions {
  /** Null until the controller is claimed; phones are not supported before. */
  readonly identity: () => PresentedControllerIdentity | null;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly log: Log;
}

/** Authenticates a phone on the reader with a one-time challenge. */
export class NfcPhoneAuthenticator {
  readonly #options: NfcPhoneAuthenticatorOptions;

  constructor(options: NfcPhoneAuthenticatorOptions) {
    this.#options = options;
  }

  /** Null if it is not a phone with a token of ours, or the proof failed. Rejects if it leaves before the end. */
  async authenticate(transmit: TransmitApdu): Promise<ProvenPhoneKey | null> {
    const { identity, randomBytes, clock, log } = this.#options;
    const reader = identity();
    if (reader === null) return null;
    let step: NfcPhoneAuthenticationStep = beginNfcPhoneAuthentication({
      challenge: randomBytes(NFC_PHONE_CHALLENGE_BYTES),
      reader,
    });
    while (step.type === 'send') {
      const answer = await transmit(step.apdu);
      step = continueNfcPhoneAuthentication(step.state, answer, clock.now(), verifyPhone);
    }
    if (step.type === 'failed') log('warn', 'Phone authentication failed', { reason: step.reason });
    return step.type === 'proven' ? (step.public_key as ProvenPhoneKey) : null;
  }
}

/** Null without a reader identity: phones are then read as ordinary cards. */
export const createNfcPhoneAuthenticator = ({ clock, log, phoneIdentity }: BusContext): NfcPhoneAuthenticator | null =>
  phoneIdentity === undefined
    ? null
    : new NfcPhoneAuthenticator({ identity: phoneIdentity, randomBytes: secureRandomBytes, clock, log });
