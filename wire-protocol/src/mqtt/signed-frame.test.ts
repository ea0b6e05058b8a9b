import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase64url, toBase64url } from './base64url.ts';
import { freshWindow, type ReplayWindow } from './replay-window.ts';
import {
  checkFrame,
  decodeFrame,
  encodeFrame,
  type FrameExpectation,
  type FrameHeader,
  signingBytes,
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
  const frame = decodeFrame(bytes);
  if (!frame.ok) return frame.problems.map(({ code }) => code).join();
  const checked = checkFrame(frame.value, { ...expected, ...change }, verifyWith);
  return checked.ok ? new TextDecoder().decode(checked.value.body) : checked.problems.map(({ path }) => path).join();
};

test('the bytes that are signed are the golden ones', () => {
  expect(Buffer.from(signingBytes(golden.header, body)).toString('hex')).toBe(golden.signing_bytes);
});

test('the frame on the wire is the golden one', () => {
  expect(new TextDecoder().decode(encodeFrame(golden.header, body, signWith))).toBe(golden.frame);
});

test('the golden frame opens to its body', () => {
  expect(opened(new TextEncoder().encode(golden.frame))).toBe(golden.body);
});

test('a body of any bytes comes through as it was, line feeds included', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), any => {
      const frame = decodeFrame(encodeFrame({ ...golden.header, encoding: 'gzip' }, any, signWith));
      expect(frame.ok && Buffer.from(frame.value.body).equals(any)).toBe(true);
    }),
  );
});

test.each([
  ['kind', { kind: 'slice' as const }],
  ['signer', { signer: 'org_other' as OrganizationId }],
  ['audience', { audience: 'dev_other' as DeviceId }],
  ['serial', { serial: '5d1f' }],
  ['counter', { window: { highest: number, missing: [] } }],
  ['counter', { window: { highest: number + 1, missing: [] } }],
  ['counter', { window: { highest: number + 64, missing: [] } }],
])('a frame with another %s than expected is refused', (field, change) => {
  expect(opened(new TextEncoder().encode(golden.frame), change)).toBe(field);
});

test('a frame that others have overtaken is taken once, and the window that comes back remembers it', () => {
  const late = { highest: number + 3, missing: [number, number + 2] };
  const frame = decodeFrame(new TextEncoder().encode(golden.frame));
  const checked = checkFrame(frame.ok ? frame.value : expect.fail(), { ...expected, window: late }, verifyWith);
  expect(checked).toMatchObject({ value: { window: { highest: number + 3, missing: [number + 2] } } });
});

test('a frame whose content tells that it came before may come again', () => {
  expect(opened(new TextEncoder().encode(golden.frame), { window: null })).toBe(golden.body);
});

test('a forged frame does not use up the number of a true one', () => {
  const frame = decodeFrame(encodeFrame(golden.header, body, () => new Uint8Array(64)));
  const checked = checkFrame(frame.ok ? frame.value : expect.fail(), { ...expected, window: freshWindow }, verifyWith);
  expect(checked.ok).toBe(false);
});

test('a header that is changed after signing does not fit the signature', () => {
  for (const change of [{ counter: 9 }, { encoding: 'gzip' }]) {
    const changed = { ...golden.header, ...change } as FrameHeader;
    const forged = encodeFrame(changed, body, () => signWith(signingBytes(golden.header, body)));
    expect(opened(forged)).toBe('sig');
  }
});

test('one bit anywhere in a frame spoils it', () => {
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

test('no two headers share the bytes that are signed', () => {
  const part = fc.string({ maxLength: 4 });
  const headers = fc.record({ kind: part, signer: part, audience: part, serial: part, counter: fc.nat(99) });
  fc.assert(
    fc.property(headers, headers, fc.uint8Array({ maxLength: 4 }), (a, b, any) => {
      const bytesOf = (of: typeof a): string =>
        Buffer.from(signingBytes({ v: 1, encoding: 'identity', ...of }, any)).toString('hex');
      expect(bytesOf(a) === bytesOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
    }),
  );
});

test.each(['', '\n', '{}\n', 'x'.repeat(5000), '{"v":1}\nbody', `${'{'.repeat(900)}\n`])('%j is no frame', text => {
  expect(decodeFrame(new TextEncoder().encode(text)).ok).toBe(false);
});

test('whatever bytes arrive, nothing throws', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), arrived => {
      expect(() => decodeFrame(arrived)).not.toThrow();
    }),
  );
});

test('base64url has one spelling for its bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), bytes => {
      expect(toBase64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
      expect(fromBase64url(toBase64url(bytes))).toEqual(bytes);
    }),
  );
  for (const text of ['A', 'AB', 'AA==', 'AA=', 'A+', 'A/', 'ä']) expect(fromBase64url(text)).toBeNull();
});
