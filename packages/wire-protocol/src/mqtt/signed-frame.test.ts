import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBase64url, toBase64url } from '../encoding/base64url.ts';
import { emptyReplayWindow, type ReplayWindow } from './replay-window.ts';
import {
  acceptFrame,
  decodeUnverifiedFrame,
  encodeSignedFrame,
  type FrameExpectation,
  type FrameHeader,
  encodeFrameSigningBytes,
} from './signed-frame.ts';

const golden: { key_seed: string; header: FrameHeader; body: string; signing_bytes: string; frame: string } =
  JSON.parse(readFileSync(new URL('../../golden/mqtt/signed-frame.json', import.meta.url), 'utf8'));

const PKCS8_OF_ED25519 = '302e020100300506032b657004220420';
const key = createPrivateKey({
  key: Buffer.from(PKCS8_OF_ED25519 + golden.key_seed, 'hex'),
  format: 'der',
  type: 'pkcs8',
});
const signWith = (bytes: Uint8Array): Uint8Array => sign(null, bytes, key);
const verifyWith = (bytes: Uint8Array, signature: Uint8Array): boolean =>
  verify(null, bytes, createPublicKey(key), signature);

const body = new TextEncoder().encode(golden.body);
const number = golden.header.counter;
const window: ReplayWindow = { highest: number - 1, missing: [] };
const expected: FrameExpectation = {
  kind: 'ack',
  signer: golden.header.signer as OrganizationId,
  audience: golden.header.audience as DeviceId,
  serial: golden.header.serial,
  window,
};

const opened = (bytes: Uint8Array, change: Partial<FrameExpectation> = {}): string => {
  const frame = decodeUnverifiedFrame(bytes);
  if (!frame.ok) return frame.problems.map(({ code }) => code).join();
  const checked = acceptFrame(frame.value, { ...expected, ...change }, verifyWith);
  return checked.ok ? new TextDecoder().decode(checked.value.body) : checked.problems.map(({ path }) => path).join();
};

describe('signed frame', () => {
  it('signs the golden bytes', () => {
    expect(Buffer.from(encodeFrameSigningBytes(golden.header, body)).toString('hex')).toBe(golden.signing_bytes);
  });

  it('encodes the golden frame', () => {
    expect(new TextDecoder().decode(encodeSignedFrame(golden.header, body, signWith))).toBe(golden.frame);
  });

  it('opens the golden frame', () => {
    expect(opened(new TextEncoder().encode(golden.frame))).toBe(golden.body);
  });

  it('round-trips a body of any bytes, line feeds included', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), any => {
        const frame = decodeUnverifiedFrame(encodeSignedFrame({ ...golden.header, encoding: 'gzip' }, any, signWith));
        expect(frame.ok && Buffer.from(frame.value.body).equals(any)).toBe(true);
      }),
    );
  });

  it.each([
    ['kind', { kind: 'snapshot' as const }],
    ['signer', { signer: 'org_other' as OrganizationId }],
    ['audience', { audience: 'dev_other' as DeviceId }],
    ['serial', { serial: '5d1f' }],
    ['counter', { window: { highest: number, missing: [] } }],
    ['counter', { window: { highest: number + 1, missing: [] } }],
    ['counter', { window: { highest: number + 64, missing: [] } }],
  ])('is rejected with another %s than expected', (field, change) => {
    expect(opened(new TextEncoder().encode(golden.frame), change)).toBe(field);
  });

  it('is accepted once after others have overtaken it', () => {
    const late = { highest: number + 3, missing: [number, number + 2] };
    const frame = decodeUnverifiedFrame(new TextEncoder().encode(golden.frame));
    const checked = acceptFrame(frame.ok ? frame.value : expect.fail(), { ...expected, window: late }, verifyWith);
    expect(checked).toMatchObject({ value: { window: { highest: number + 3, missing: [number + 2] } } });
  });

  it('may repeat if its content identifies repetitions', () => {
    expect(opened(new TextEncoder().encode(golden.frame), { window: null })).toBe(golden.body);
  });

  it('does not use up its number when it is forged', () => {
    const frame = decodeUnverifiedFrame(encodeSignedFrame(golden.header, body, () => new Uint8Array(64)));
    const checked = acceptFrame(
      frame.ok ? frame.value : expect.fail(),
      { ...expected, window: emptyReplayWindow },
      verifyWith,
    );
    expect(checked.ok).toBe(false);
  });

  it('is rejected with a header that was changed after signing', () => {
    for (const change of [{ counter: 9 }, { encoding: 'gzip' }]) {
      const changed = { ...golden.header, ...change } as FrameHeader;
      const forged = encodeSignedFrame(changed, body, () => signWith(encodeFrameSigningBytes(golden.header, body)));
      expect(opened(forged)).toBe('sig');
    }
  });

  it('is rejected with any bit changed', () => {
    const frame = new TextEncoder().encode(golden.frame);
    fc.assert(
      fc.property(fc.nat({ max: frame.length - 1 }), fc.nat({ max: 7 }), (at, bit) => {
        const changed = frame.slice();
        changed[at]! ^= 1 << bit;
        expect(opened(changed)).not.toBe(golden.body);
      }),
      { numRuns: 1000 },
    );
  });

  it('signs different bytes for different headers', () => {
    const part = fc.string({ maxLength: 4 });
    const headers = fc.record({ kind: part, signer: part, audience: part, serial: part, counter: fc.nat(99) });
    fc.assert(
      fc.property(headers, headers, fc.uint8Array({ maxLength: 4 }), (a, b, any) => {
        const bytesOf = (of: typeof a): string =>
          Buffer.from(encodeFrameSigningBytes({ v: 1, encoding: 'identity', ...of }, any)).toString('hex');
        expect(bytesOf(a) === bytesOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });

  it.each(['', '\n', '{}\n', 'x'.repeat(5000), '{"v":1}\nbody', `${'{'.repeat(900)}\n`])('rejects %j', text => {
    expect(decodeUnverifiedFrame(new TextEncoder().encode(text)).ok).toBe(false);
  });

  it('does not throw on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), arrived => {
        expect(() => decodeUnverifiedFrame(arrived)).not.toThrow();
      }),
    );
  });

  it('accepts only the canonical base64url text of its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), bytes => {
        expect(toBase64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
        expect(fromBase64url(toBase64url(bytes))).toEqual(bytes);
      }),
    );
    for (const text of ['A', 'AB', 'AA==', 'AA=', 'A+', 'A/', 'ä']) expect(fromBase64url(text)).toBeNull();
  });
});
