import { readFileSync } from 'node:fs';
import { toHex } from '@lintel/access-core/to-hex';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBase64url } from '../encoding/base64url.ts';
import {
  vectorBluetoothKey,
  vectorRandomValues,
  vectorCredential,
  vectorControllerIdentity,
  createVectorMemberKey,
  vectorPhoneEphemeralKey,
  vectorDoorRequest,
  readVectorBytes,
  bluetoothVectors,
  verifyVectorSignature,
} from './bluetooth-vectors.test-support.ts';
import {
  BLUETOOTH_REQUEST_UUID,
  BLUETOOTH_RESPONSE_UUID,
  BLUETOOTH_SERVICE_UUID,
  bluetoothResultCodes,
  RSSI_UNKNOWN,
} from './bluetooth-uuids-and-result-codes.ts';
import {
  challengeBluetoothPhone,
  checkBluetoothProof,
  checkBluetoothProximity,
  type BluetoothControllerSession,
  encryptBluetoothResult,
} from './controller-session.ts';
import {
  encodeBluetoothSigningBytes,
  encodeBluetoothError,
  encodeBluetoothProof,
  encodeSealedBluetoothMessage,
  parseBluetoothProof,
} from './messages.ts';
import { answerBluetoothChallenge, createBluetoothHello, decryptBluetoothResult } from './phone-session.ts';
import { createEphemeralKey } from './session-keys.ts';
import { encodeMemberTokenSeed } from '../phone/member-token-seed.ts';

const challenge = async (hello = readVectorBytes('hello')) => {
  const step = await challengeBluetoothPhone(hello, vectorControllerIdentity, vectorBluetoothKey, vectorRandomValues);
  if (step.type !== 'challenge') throw new Error(step.result);
  return step;
};

const freshExchange = async (credentials = [vectorCredential]) => {
  const phone = await createEphemeralKey();
  const randomness = {
    sessionId: crypto.getRandomValues(new Uint8Array(8)),
    nonce: crypto.getRandomValues(new Uint8Array(32)),
    ephemeral: await createEphemeralKey(),
  };
  const step = await challengeBluetoothPhone(
    createBluetoothHello(phone),
    vectorControllerIdentity,
    vectorBluetoothKey,
    randomness,
  );
  if (step.type !== 'challenge') throw new Error(step.result);
  const answer = await answerBluetoothChallenge(phone, step.message, credentials, () => vectorDoorRequest);
  return { session: step.session, answer };
};

const proofOf = ({ answer }: Awaited<ReturnType<typeof freshExchange>>): Uint8Array => {
  if (answer.type !== 'proof') throw new Error(answer.type);
  return answer.message;
};

describe('bluetooth exchange', () => {
  it('exchanges the golden bytes', async () => {
    expect(toHex(createBluetoothHello(vectorPhoneEphemeralKey))).toBe(bluetoothVectors['hello']);
    const { session, message } = await challenge();
    expect(toHex(message)).toBe(bluetoothVectors['challenge']);
    expect(toHex(session.transcript)).toBe(bluetoothVectors['transcript']);
    const answer = await answerBluetoothChallenge(
      vectorPhoneEphemeralKey,
      message,
      [vectorCredential],
      () => vectorDoorRequest,
    );
    if (answer.type !== 'proof') throw new Error(answer.type);
    expect(answer.session.identity).toEqual(vectorControllerIdentity);
    const signed = encodeBluetoothSigningBytes(
      vectorControllerIdentity,
      vectorDoorRequest,
      session.transcript,
      vectorCredential.publicKey,
    );
    expect(toHex(signed)).toBe(bluetoothVectors['signed']);
    expect(toHex(answer.message)).toBe(bluetoothVectors['proof']);
    expect(await checkBluetoothProof(session, answer.message, verifyVectorSignature)).toEqual({
      type: 'proven',
      public_key: toBase64url(readVectorBytes('public_key')),
      request: vectorDoorRequest,
    });
    const result = await encryptBluetoothResult(session, 'granted');
    expect(toHex(result)).toBe(bluetoothVectors['result_granted']);
    expect(await decryptBluetoothResult(answer.session, result)).toBe('granted');
  });

  it('works with keys of the platform', async () => {
    const exchange = await freshExchange();
    expect(await checkBluetoothProof(exchange.session, proofOf(exchange), verifyVectorSignature)).toMatchObject({
      type: 'proven',
    });
  });
});

describe('controller', () => {
  it('rejects a proof of another session', async () => {
    const [first, second] = [await freshExchange(), await freshExchange()];
    expect(await checkBluetoothProof(second.session, proofOf(first), verifyVectorSignature)).toEqual({
      type: 'failed',
      result: 'wrong_proof',
    });
  });

  it('rejects a signature for another controller, organization, door, action, distance, session or key', async () => {
    const { session } = await challenge();
    const { publicKey } = vectorCredential;
    const other = createVectorMemberKey(encodeMemberTokenSeed(new Uint8Array(32).fill(9)));
    const check = async (signed: Uint8Array, sign = vectorCredential.sign): Promise<string> => {
      const proof = encodeBluetoothProof({ ...vectorDoorRequest, publicKey, signature: await sign(signed) });
      const step = await checkBluetoothProof(
        session,
        encodeSealedBluetoothMessage('proof', await session.keys.proof.seal(proof)),
        verifyVectorSignature,
      );
      return step.type;
    };
    const { transcript } = session;
    const encode = encodeBluetoothSigningBytes;
    expect(await check(encode(vectorControllerIdentity, vectorDoorRequest, transcript, publicKey))).toBe('proven');
    for (const signed of [
      encode({ ...vectorControllerIdentity, device_id: 'dev_03' }, vectorDoorRequest, transcript, publicKey),
      encode({ ...vectorControllerIdentity, organization_id: 'org_02' }, vectorDoorRequest, transcript, publicKey),
      encode(vectorControllerIdentity, { ...vectorDoorRequest, gadget_id: 'gad_04' }, transcript, publicKey),
      encode(vectorControllerIdentity, { ...vectorDoorRequest, action_id: 'lock' }, transcript, publicKey),
      encode(vectorControllerIdentity, { ...vectorDoorRequest, rssi: -20 }, transcript, publicKey),
      encode(
        vectorControllerIdentity,
        vectorDoorRequest,
        transcript.map(byte => byte ^ 1),
        publicKey,
      ),
      encode(vectorControllerIdentity, vectorDoorRequest, transcript, other.publicKey),
    ])
      expect(await check(signed)).toBe('failed');
    expect(await check(encode(vectorControllerIdentity, vectorDoorRequest, transcript, publicKey), other.sign)).toBe(
      'failed',
    );
  });

  it('rejects other versions and invalid keys', async () => {
    const hello = readVectorBytes('hello');
    const resultOf = async (message: Uint8Array) => {
      const step = await challengeBluetoothPhone(message, vectorControllerIdentity, vectorBluetoothKey, {
        ...vectorRandomValues,
        ephemeral: await createEphemeralKey(),
      });
      return step.type === 'failed' ? step.result : step.type;
    };
    expect(await resultOf(hello)).toBe('challenge');
    expect(await resultOf(hello.with(1, 2))).toBe('unsupported_version');
    expect(await resultOf(hello.slice(0, -1))).toBe('malformed');
    expect(await resultOf(new Uint8Array())).toBe('malformed');
    const smallOrder = new Uint8Array(34);
    smallOrder.set([1, 1]);
    expect(await resultOf(smallOrder)).toBe('malformed');
  });

  it('accepts no made-up proof', async () => {
    const { session } = await challenge();
    const message = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ maxLength: 300 }).map(bytes => Uint8Array.of(3, ...bytes)),
    );
    await fc.assert(
      fc.asyncProperty(
        message,
        async bytes => (await checkBluetoothProof(session, bytes, verifyVectorSignature)).type === 'failed',
      ),
      { numRuns: 300 },
    );
  });

  it('accepts no sealed proof of another form', async () => {
    const { session } = await challenge();
    const check = async ({ keys }: BluetoothControllerSession, plain: Uint8Array): Promise<string> =>
      (
        await checkBluetoothProof(
          session,
          encodeSealedBluetoothMessage('proof', await keys.proof.seal(plain)),
          verifyVectorSignature,
        )
      ).type;
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        async plain => (await check(session, plain)) === 'failed',
      ),
      { numRuns: 300 },
    );
  });

  it('accepts no changed byte of a proof', async () => {
    const { session } = await challenge();
    const proof = readVectorBytes('proof');
    for (let at = 0; at < proof.length; at += 1) {
      const changed = proof.with(at, proof[at]! ^ 1);
      expect((await checkBluetoothProof(session, changed, verifyVectorSignature)).type).toBe('failed');
    }
  });
});

describe('phone', () => {
  it('reveals nothing to a controller without the Bluetooth key of its organization', async () => {
    const foreign = { ...vectorCredential, bluetoothKey: vectorBluetoothKey.map(byte => byte ^ 1) };
    expect((await freshExchange([foreign])).answer).toEqual({ type: 'unknown_controller' });
    const elsewhere = { ...vectorCredential, organization_id: 'org_other' };
    expect((await freshExchange([elsewhere])).answer).toEqual({ type: 'unknown_controller' });
    expect((await freshExchange([])).answer).toEqual({ type: 'unknown_controller' });
  });

  it('selects its key by the organization of the controller', async () => {
    const foreign = { ...vectorCredential, organization_id: 'org_other', bluetoothKey: new Uint8Array(32) };
    const exchange = await freshExchange([foreign, vectorCredential]);
    expect(await checkBluetoothProof(exchange.session, proofOf(exchange), verifyVectorSignature)).toMatchObject({
      type: 'proven',
    });
  });

  it('signs nothing if it has no request for the controller', async () => {
    const { message } = await challenge();
    const answer = await answerBluetoothChallenge(vectorPhoneEphemeralKey, message, [vectorCredential], () => null);
    expect(answer).toEqual({ type: 'unknown_controller' });
  });

  it('does not answer made-up challenges', async () => {
    const message = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.uint8Array({ minLength: 80, maxLength: 200 }).map(bytes => Uint8Array.of(2, 1, ...bytes)),
    );
    const phone = await createEphemeralKey();
    await fc.assert(
      fc.asyncProperty(
        message,
        async bytes =>
          (await answerBluetoothChallenge(phone, bytes, [vectorCredential], () => vectorDoorRequest)).type !== 'proof',
      ),
      { numRuns: 200 },
    );
  });

  it('accepts a result from the controller only, and errors only before keys exist', async () => {
    const { message } = await challenge();
    const answer = await answerBluetoothChallenge(
      vectorPhoneEphemeralKey,
      message,
      [vectorCredential],
      () => vectorDoorRequest,
    );
    if (answer.type !== 'proof') throw new Error(answer.type);
    const result = readVectorBytes('result_granted');
    expect(await decryptBluetoothResult(answer.session, result.with(1, result[1]! ^ 1))).toBe('malformed');
    expect(await decryptBluetoothResult(answer.session, Uint8Array.of(5, bluetoothResultCodes.granted))).toBe(
      'malformed',
    );
    expect(await decryptBluetoothResult(answer.session, encodeBluetoothError('busy'))).toBe('busy');
    expect(toHex(encodeBluetoothError('busy'))).toBe(bluetoothVectors['error_busy']);
  });
});

describe('proof', () => {
  it('round-trips any request', () => {
    const id = fc.string({ minLength: 1, maxLength: 16 });
    fc.assert(
      fc.property(id, id, fc.integer({ min: -128, max: 127 }), (gadget_id, action_id, rssi) => {
        const proof = {
          gadget_id: gadget_id.toWellFormed(),
          action_id: action_id.toWellFormed(),
          rssi,
          publicKey: new Uint8Array(32).fill(1),
          signature: new Uint8Array(64).fill(2),
        };
        expect(parseBluetoothProof(encodeBluetoothProof(proof))).toEqual(proof);
      }),
    );
  });
});

describe('checkBluetoothProximity', () => {
  const limits = { rssi_threshold: -70, requires_rssi: false, round_trip_ms: 1_000 };
  const near = { phoneRssi: -50, controllerRssi: null, roundTripMs: 120 };

  it('requires a signal above the threshold at both ends', () => {
    expect(checkBluetoothProximity(limits, near)).toBeNull();
    expect(checkBluetoothProximity(limits, { ...near, phoneRssi: -70 })).toBeNull();
    expect(checkBluetoothProximity(limits, { ...near, phoneRssi: -71 })).toBe('too_far');
    expect(checkBluetoothProximity(limits, { ...near, controllerRssi: -71 })).toBe('too_far');
    expect(checkBluetoothProximity({ ...limits, rssi_threshold: null }, { ...near, phoneRssi: -100 })).toBeNull();
  });

  it('requires a measurement only where the profile does', () => {
    const unknown = { ...near, phoneRssi: RSSI_UNKNOWN };
    expect(checkBluetoothProximity(limits, unknown)).toBeNull();
    expect(checkBluetoothProximity({ ...limits, requires_rssi: true }, unknown)).toBe('too_far');
    expect(checkBluetoothProximity({ ...limits, requires_rssi: true }, { ...unknown, controllerRssi: -60 })).toBeNull();
  });

  it('requires a fast response', () => {
    expect(checkBluetoothProximity(limits, { ...near, roundTripMs: 1_000 })).toBeNull();
    expect(checkBluetoothProximity(limits, { ...near, roundTripMs: 1_001 })).toBe('too_slow');
    expect(checkBluetoothProximity(limits, { ...near, roundTripMs: Number.NaN })).toBe('too_slow');
  });
});

describe('docs/reference/bluetooth-protocol.md', () => {
  const page = readFileSync(new URL('../../../../docs/reference/bluetooth-protocol.md', import.meta.url), 'utf8');

  it('lists every result code', () => {
    const listed = page.matchAll(/^\| `([0-9a-f]{2})` \| `([a-z_]+)` \|/gm);
    const codes = Array.from(listed, ([, code, name]) => [name, Number.parseInt(code!, 16)]);
    expect(Object.fromEntries(codes)).toEqual(bluetoothResultCodes);
  });

  it('names the UUIDs', () => {
    for (const uuid of [BLUETOOTH_SERVICE_UUID, BLUETOOTH_REQUEST_UUID, BLUETOOTH_RESPONSE_UUID])
      expect(page).toContain(`| \`${uuid}\` |`);
  });
});
