import { crc32 } from 'node:zlib';
import { monotonic } from '@lintel/access-core/monotonic-time';
import {
  beginNfcPhoneAuthentication,
  continueNfcPhoneAuthentication,
  type NfcPhoneAuthenticationStep,
} from './nfc-phone-authentication.ts';
import { respondToNfcReader, type PhoneKey, type NfcPhoneSelectionState } from './nfc-phone-responder.ts';
import { describe, expect, it } from 'vitest';
import { damageFrame, FRAMES, LONG_RUN_MS } from '@lintel/test/support/fuzz-frames';
import { SeededRandom } from '@lintel/test/support/seeded-random';
import { runSeed } from '@lintel/test/support/test-iterations-and-seed';

describe('Phone authentication', () => {
  it(
    'accepts only the correct key when APDUs are damaged on both sides',
    () => {
      const random = new SeededRandom(runSeed());
      const publicKey = new Uint8Array(32).fill(1);
      let signed = 0;
      // In place of Ed25519, which would take minutes.
      const signatureOf = (message: Uint8Array): Buffer => {
        const sum = Buffer.alloc(64);
        sum.writeUInt32BE(crc32(message));
        return sum;
      };
      const sign = (message: Uint8Array): Uint8Array => {
        signed++;
        return signatureOf(message);
      };
      const verify = (_key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
        signatureOf(message).equals(signature);
      const key: PhoneKey = { publicKey, sign };
      const reader = { organization_id: 'org_1', device_id: 'dev_1' };
      const question = { challenge: new Uint8Array(32).fill(9), reader };
      const select = beginNfcPhoneAuthentication(question);
      const outcomes = new Map<NfcPhoneAuthenticationStep['type'], number>();
      for (let frames = 0; frames < FRAMES; ) {
        let side: NfcPhoneSelectionState = 'idle';
        let step: NfcPhoneAuthenticationStep = select;
        while (step.type === 'send') {
          const apdu = random.below(8) === 0 ? damageFrame(Buffer.from(step.apdu), random) : step.apdu;
          const { state, response } = respondToNfcReader(side, apdu, () => key);
          side = state;
          const received = random.below(4) === 0 ? damageFrame(Buffer.from(response), random) : response;
          step = continueNfcPhoneAuthentication(step.state, received, monotonic(0), verify);
          frames += 2;
        }
        outcomes.set(step.type, (outcomes.get(step.type) ?? 0) + 1);
        if (step.type === 'proven' && step.public_key !== Buffer.from(publicKey).toString('base64url'))
          throw new Error(`another key was accepted after ${frames} frames`);
      }
      expect([...outcomes.keys()].sort()).toEqual(['failed', 'no_phone', 'proven']);
      expect(signed).toBeGreaterThan(FRAMES / 10);
    },
    LONG_RUN_MS,
  );
});
