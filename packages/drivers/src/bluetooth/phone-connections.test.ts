import { randomBytes } from 'node:crypto';
import { addMilliseconds, monotonic } from '@lintel/access-core/monotonic-time';
import { encodeMemberTokenSeed } from '@lintel/wire-protocol/phone/member-token-seed';
import {
  answerBluetoothChallenge,
  createBluetoothHello,
  decryptBluetoothResult,
} from '@lintel/wire-protocol/bluetooth/phone-session';
import { encodeBluetoothError, parseBluetoothError } from '@lintel/wire-protocol/bluetooth/messages';
import {
  addBluetoothFragment,
  type BluetoothFragmentAssembly,
  emptyBluetoothFragmentAssembly,
  splitIntoBluetoothFragments,
} from '@lintel/wire-protocol/bluetooth/fragments';
import { createEphemeralKey } from '@lintel/wire-protocol/bluetooth/session-keys';
import { describe, expect, it } from 'vitest';
import type { BluetoothDecision, BluetoothActionRequest } from '../interfaces/bluetooth-radio.ts';
import { toPhoneKey } from '../taps/nfc-phone.ts';
import { BluetoothPhoneConnections, type BluetoothPhoneConnectionsOptions } from './phone-connections.ts';

const bluetoothKey = new Uint8Array(32).fill(7);
const identity = { organization_id: 'org_1', device_id: 'dev_1' };
const member = toPhoneKey(encodeMemberTokenSeed(new Uint8Array(32).fill(1)))!;
const credential = {
  organization_id: 'org_1',
  bluetoothKey,
  publicKey: member.publicKey,
  sign: async (message: Uint8Array) => member.sign(message),
};
const request = { gadget_id: 'gad_door', action_id: 'open', rssi: -50 };

const createWorld = (
  changes: Partial<BluetoothPhoneConnectionsOptions> = {},
  decision: BluetoothDecision = 'granted',
) => {
  const world = { now: monotonic(1_000), requests: [] as BluetoothActionRequest[], wrongProofs: 0 };
  const connections = new BluetoothPhoneConnections({
    identity: () => identity,
    bluetoothKey: () => bluetoothKey,
    randomBytes,
    clock: { now: () => world.now },
    log: () => undefined,
    rssiOf: async () => -60,
    ...changes,
  });
  connections.onRequest(asked => {
    world.requests.push(asked);
    return decision;
  });
  connections.onWrongProof(() => void (world.wrongProofs += 1));
  const send = async (phone: string, message: Uint8Array): Promise<void> => {
    for (const fragment of splitIntoBluetoothFragments(message, 20)) await connections.write(phone, fragment);
  };
  const receive = async (phone: string): Promise<Uint8Array> => {
    let assembly: BluetoothFragmentAssembly = emptyBluetoothFragmentAssembly;
    for (;;) {
      const step = addBluetoothFragment(assembly, await connections.read(phone, 20));
      if (step.type === 'malformed') return new Uint8Array();
      if (step.type === 'message') return step.message;
      ({ assembly } = step);
    }
  };
  /** Up to the challenge. */
  const begin = async (phone: string) => {
    const ephemeral = await createEphemeralKey();
    await send(phone, createBluetoothHello(ephemeral));
    const challenge = await receive(phone);
    const answer = await answerBluetoothChallenge(ephemeral, challenge, [credential], () => request);
    return { challenge, answer };
  };
  const open = async (phone: string): Promise<string> => {
    const { answer } = await begin(phone);
    if (answer.type !== 'proof') return answer.type === 'failed' ? answer.result : answer.type;
    await send(phone, answer.message);
    return decryptBluetoothResult(answer.session, await receive(phone));
  };
  const wait = (ms: number): void => void (world.now = addMilliseconds(world.now, ms));
  return { connections, world, send, receive, begin, open, wait };
};

describe('BluetoothPhoneConnections', () => {
  it('passes a proven request on and returns the decision', async () => {
    const { open, world } = createWorld();
    expect(await open('phone_a')).toBe('granted');
    expect(world.requests).toEqual([
      {
        key: Buffer.from(member.publicKey).toString('base64url'),
        gadget_id: 'gad_door',
        action_id: 'open',
        phoneRssi: -50,
        controllerRssi: -60,
        roundTripMs: 0,
      },
    ]);
    expect(await createWorld({}, 'too_far').open('phone_a')).toBe('too_far');
  });

  it('serves several phones at the same time, each with its own exchange', async () => {
    const { begin, send, receive, world } = createWorld();
    const phones = ['phone_a', 'phone_b', 'phone_c'];
    const begun = await Promise.all(phones.map(async phone => ({ phone, ...(await begin(phone)) })));
    for (const { phone, answer } of begun.toReversed()) {
      if (answer.type !== 'proof') throw new Error(answer.type);
      await send(phone, answer.message);
      expect(await decryptBluetoothResult(answer.session, await receive(phone))).toBe('granted');
    }
    expect(world.requests).toHaveLength(3);
  });

  it('measures from the read of the challenge to the last fragment of the proof', async () => {
    const { begin, send, wait, world } = createWorld();
    const { answer } = await begin('phone_a');
    if (answer.type !== 'proof') throw new Error(answer.type);
    wait(340);
    await send('phone_a', answer.message);
    expect(world.requests[0]!.roundTripMs).toBe(340);
  });

  it('denies a replayed proof and counts it', async () => {
    const { begin, send, receive, world } = createWorld();
    const { answer } = await begin('phone_a');
    if (answer.type !== 'proof') throw new Error(answer.type);
    await send('phone_a', answer.message);
    await receive('phone_a');
    await send('phone_a', answer.message);
    expect(await receive('phone_a')).toEqual(encodeBluetoothError('malformed'));
    await begin('phone_b');
    await send('phone_b', answer.message);
    expect(await receive('phone_b')).toHaveLength(18);
    expect(world).toMatchObject({ wrongProofs: 1, requests: [expect.anything()] });
  });

  it('locks a phone out after five wrong proofs, and no other phone', async () => {
    const { begin, send, open, wait, world } = createWorld();
    const wrong = Uint8Array.of(3, ...new Uint8Array(100));
    for (let count = 0; count < 5; count += 1) {
      await begin('phone_a');
      await send('phone_a', wrong);
    }
    expect(world.wrongProofs).toBe(5);
    expect(await open('phone_a')).toBe('rate_limited');
    expect(await open('phone_b')).toBe('granted');
    wait(30_001);
    expect(await open('phone_a')).toBe('granted');
  });

  it('is not ready without an identity or a key', async () => {
    expect(await createWorld({ identity: () => null }).open('phone_a')).toBe('not_ready');
    expect(await createWorld({ bluetoothKey: () => null }).open('phone_a')).toBe('not_ready');
  });

  it('limits exchanges and phones, and forgets phones that are gone', async () => {
    const { begin, open, wait, connections } = createWorld();
    for (let index = 0; index < 8; index += 1) await begin(`phone_${index}`);
    expect(await open('phone_late')).toBe('busy');
    connections.disconnect('phone_0');
    expect(await open('phone_late')).toBe('granted');
    wait(10_001);
    expect(await open('phone_later')).toBe('granted');
    for (let index = 0; index < 31; index += 1) await connections.write(`idle_${index}`, Uint8Array.of(0, 1));
    await expect(connections.write('phone_last', Uint8Array.of(0, 1))).rejects.toThrow('Too many phones');
  });

  it('answers malformed fragments and unexpected messages', async () => {
    const { connections, send, receive } = createWorld();
    await connections.write('phone_a', Uint8Array.of(5, 1, 2));
    expect(parseBluetoothError(await receive('phone_a'))).toBe('malformed');
    await send('phone_a', Uint8Array.of(3, ...new Uint8Array(40)));
    expect(parseBluetoothError(await receive('phone_a'))).toBe('malformed');
    expect(await connections.read('phone_a', 20)).toEqual(new Uint8Array());
    expect(await connections.read('unknown', 20)).toEqual(new Uint8Array());
  });
});
