import { type AskingReader, CHALLENGE_BYTES } from '@lintel/wire-protocol/phone/phone-application';
import { askPhone, hearPhone, type ReaderStep, type VerifyEd25519 } from '@lintel/wire-protocol/phone/reader-side';
import type { ProvenKey } from '../../ports/card-reader.ts';
import type { Log } from '@lintel/service/log';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import { verifyEd25519 } from '@lintel/crypto/ed25519';

const verifyPhone: VerifyEd25519 = (publicKey, message, signature) =>
  verifyEd25519(Buffer.from(publicKey).toString('base64url'), message, signature);

/** One APDU there and its answer back. Rejects when the card has left. */
export type Transmit = (apdu: Uint8Array) => Promise<Uint8Array>;

export interface PhoneCheckOptions {
  /** Null until the controller is claimed: before that no phone is asked. */
  readonly identity: () => AskingReader | null;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly log: Log;
  /** How long the proof may take; a relayed one takes longer. */
  readonly answerMs?: number;
}

/** Asks what lies on the reader for a key, with a challenge that is used once. */
export class PhoneCheck {
  readonly #options: PhoneCheckOptions;

  constructor(options: PhoneCheckOptions) {
    this.#options = options;
  }

  /** Null when it is no phone of ours, or has not proven anything. Rejects when it left meanwhile. */
  async ask(transmit: Transmit): Promise<ProvenKey | null> {
    const { identity, randomBytes, clock, log, answerMs } = this.#options;
    const reader = identity();
    if (reader === null) return null;
    let step: ReaderStep = askPhone({ challenge: randomBytes(CHALLENGE_BYTES), reader }, answerMs);
    while (step.type === 'send') {
      const answer = await transmit(step.apdu);
      step = hearPhone(step.state, answer, clock.now(), verifyPhone);
    }
    if (step.type === 'failed') log('warn', 'a phone did not prove its key', { reason: step.reason });
    return step.type === 'proven' ? (step.public_key as ProvenKey) : null;
  }
}
