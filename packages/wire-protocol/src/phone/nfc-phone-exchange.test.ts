import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBase64url } from '../encoding/base64url.ts';
import { encodeCommandApdu, encodeResponseApdu, parseCommandApdu } from './apdu.ts';
import { encodeMemberTokenSeed, encodeEd25519Pkcs8, parseMemberTokenSeed } from './member-token-seed.ts';
import { encodeNfcPhoneSigningBytes, parseNfcPhoneChallenge } from './nfc-phone-protocol.ts';
import { respondToNfcReader, type PhoneKey, type NfcPhoneSelectionState } from './nfc-phone-responder.ts';
import {
  beginNfcPhoneAuthentication,
  continueNfcPhoneAuthentication,
  type NfcPhoneAuthenticationStep,
  type VerifyEd25519,
} from './nfc-phone-authentication.ts';

const golden = JSON.parse(readFileSync(new URL('../../golden/phone/tap.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, string>
>;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (name: string): Uint8Array => new Uint8Array(Buffer.from(golden[name]!, 'hex'));

const seed = parseMemberTokenSeed(golden['token']!)!;
const key = createPrivateKey({ key: Buffer.from(encodeEd25519Pkcs8(seed)), format: 'der', type: 'pkcs8' });
const publicKey = bytes('public_key');
const phoneKey: PhoneKey = { publicKey, sign: message => sign(null, message, key) };
const verifyWith: VerifyEd25519 = (x, message, signature) =>
  verify(
    null,
    message,
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: toBase64url(x) }, format: 'jwk' }),
    signature,
  );

const question = {
  challenge: bytes('challenge'),
  reader: { organization_id: golden['organization_id']!, device_id: golden['device_id']! },
};
const at = (milliseconds: number): MonotonicTime => monotonic(1_000 + milliseconds);

/** What the reader concludes from the responses; each takes one millisecond by default. */
const hear = (answers: readonly Uint8Array[], times: readonly number[] = []): NfcPhoneAuthenticationStep => {
  let step: NfcPhoneAuthenticationStep = beginNfcPhoneAuthentication(question);
  for (const [index, answer] of answers.entries()) {
    if (step.type !== 'send') break;
    step = continueNfcPhoneAuthentication(step.state, answer, at(times[index] ?? index), verifyWith);
  }
  return step;
};

const selected = bytes('select_response');
const proof = bytes('authenticate_response');
const proven = { type: 'proven', public_key: toBase64url(publicKey) };
const failedBecause = (reason: string) => ({ type: 'failed', reason });

describe('member token', () => {
  it('is the seed of the key pair', () => {
    expect(hex(seed)).toBe(hex(Uint8Array.from({ length: 32 }, (_, index) => index)));
    expect(encodeMemberTokenSeed(seed)).toBe(golden['token']);
    expect(createPublicKey(key).export({ format: 'jwk' }).x).toBe(toBase64url(publicKey));
  });

  it('rejects any other text', () => {
    const token = golden['token']!;
    for (const text of ['', 'lmt_', token.slice(1), token.slice(0, -1), `${token}A`, token.replace('lmt_', 'key_')])
      expect(parseMemberTokenSeed(text)).toBeNull();
  });
});

describe('phone tap', () => {
  it('exchanges and signs the golden bytes', () => {
    const select = beginNfcPhoneAuthentication(question);
    expect(hex(select.apdu)).toBe(golden['select_command']);
    const phone = respondToNfcReader('idle', select.apdu, () => phoneKey);
    expect(hex(phone.response)).toBe(golden['select_response']);
    const ask = continueNfcPhoneAuthentication(select.state, phone.response, at(0), verifyWith);
    if (ask.type !== 'send') throw new Error(ask.type);
    expect(hex(ask.apdu)).toBe(golden['authenticate_command']);
    expect(hex(encodeNfcPhoneSigningBytes(question, publicKey))).toBe(golden['signed']);
    expect(hex(respondToNfcReader(phone.state, ask.apdu, () => phoneKey).response)).toBe(
      golden['authenticate_response'],
    );
    expect(hear([selected, proof])).toEqual(proven);
  });
});

describe('reader', () => {
  it('rejects a response to another challenge, door or organization', () => {
    for (const change of [
      { ...question, challenge: question.challenge.map(byte => byte ^ 1) },
      { ...question, reader: { ...question.reader, device_id: 'dev_03' } },
      { ...question, reader: { ...question.reader, organization_id: 'org_02' } },
    ]) {
      const answer = encodeResponseApdu(
        0x9000,
        Uint8Array.of(...publicKey, ...phoneKey.sign(encodeNfcPhoneSigningBytes(change, publicKey))),
      );
      expect(hear([selected, answer])).toEqual(failedBecause('wrong_signature'));
    }
  });

  it('returns only the public key that signed', () => {
    const answer = proof.slice();
    answer[0]! ^= 1;
    expect(hear([selected, answer])).toEqual(failedBecause('wrong_signature'));
  });

  it('waits half a second for the proof, whatever the selection took', () => {
    expect(hear([selected, proof], [5_000, 5_500])).toEqual(proven);
    expect(hear([selected, proof], [0, 501])).toEqual(failedBecause('too_slow'));
  });

  it('counts all parts of a response into its time limit', () => {
    const pieces = [encodeResponseApdu(0x6110, proof.slice(0, 50)), proof.slice(50)];
    expect(hear([selected, ...pieces], [0, 100, 200])).toEqual(proven);
    expect(hear([selected, ...pieces], [0, 100, 501])).toEqual(failedBecause('too_slow'));
  });

  it('limits the number of parts of a response', () => {
    const endless = encodeResponseApdu(0x6101, Uint8Array.of(1));
    expect(hear([selected, endless, endless, endless, endless])).toEqual(failedBecause('malformed'));
    const long = encodeResponseApdu(0x61ff, new Uint8Array(200));
    expect(hear([selected, long])).toEqual(failedBecause('malformed'));
  });

  it('recognizes other cards and other versions', () => {
    expect(hear([Uint8Array.of(0x6a, 0x82)])).toEqual({ type: 'no_phone' });
    expect(hear([new Uint8Array()])).toEqual({ type: 'no_phone' });
    expect(hear([Uint8Array.of(2, 0x90, 0)])).toEqual(failedBecause('wrong_version'));
    expect(hear([selected, Uint8Array.of(0x69, 0x85)])).toEqual(failedBecause('refused'));
    expect(hear([selected, proof.slice(1)])).toEqual(failedBecause('malformed'));
    expect(hear([selected, Uint8Array.of(0x90)])).toEqual(failedBecause('malformed'));
  });

  it('rejects any made-up response', () => {
    const answer = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ minLength: 96, maxLength: 96 }).map(data => encodeResponseApdu(0x9000, data)),
    );
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 6 }), answers => hear([selected, ...answers]).type !== 'proven'),
      { numRuns: 500 },
    );
  });
});

describe('phone', () => {
  const authenticate = bytes('authenticate_command');
  const status = (answer: { readonly response: Uint8Array }): string => hex(answer.response.slice(-2));

  it('signs once per selection', () => {
    const first = respondToNfcReader('selected', authenticate, () => phoneKey);
    expect(status(first)).toBe('9000');
    expect(status(respondToNfcReader(first.state, authenticate, () => phoneKey))).toBe('6985');
  });

  it('reveals nothing to a door without a matching token', () => {
    const answer = respondToNfcReader('selected', authenticate, ({ organization_id }) =>
      organization_id === 'org_other' ? phoneKey : null,
    );
    expect(hex(answer.response)).toBe('6985');
  });

  it('rejects another application, another instruction and malformed data with their status words', () => {
    const other = encodeCommandApdu({ cla: 0, ins: 0xa4, p1: 4, p2: 0, data: Uint8Array.of(0xf0, 1, 2, 3, 4) });
    expect(status(respondToNfcReader('idle', other, () => phoneKey))).toBe('6a82');
    expect(status(respondToNfcReader('selected', Uint8Array.of(0, 0xb0, 0, 0, 0), () => phoneKey))).toBe('6d00');
    expect(status(respondToNfcReader('selected', authenticate.slice(0, -3), () => phoneKey))).toBe('6700');
    const short = encodeCommandApdu({ cla: 0x80, ins: 0x86, p1: 0, p2: 0, data: new Uint8Array(33) });
    expect(status(respondToNfcReader('selected', short, () => phoneKey))).toBe('6a80');
  });

  it('signs complete challenges only', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<NfcPhoneSelectionState>('idle', 'selected'),
        fc.uint8Array({ maxLength: 270 }),
        (state, apdu) => {
          const { response } = respondToNfcReader(state, apdu, () => phoneKey);
          return response.length < 96 || parseNfcPhoneChallenge(parseCommandApdu(apdu)!.data) !== null;
        },
      ),
    );
  });
});
