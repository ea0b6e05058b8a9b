import { createPublicKey, verify } from 'node:crypto';
import { BLUETOOTH_NONCE_BYTES, BLUETOOTH_SESSION_ID_BYTES } from '@lintel/wire-protocol/bluetooth/messages';
import type { BluetoothResultName } from '@lintel/wire-protocol/bluetooth/bluetooth-uuids-and-result-codes';
import {
  challengeBluetoothPhone,
  checkBluetoothProof,
  type BluetoothControllerSession,
  encryptBluetoothResult,
  type BluetoothProofOutcome,
} from '@lintel/wire-protocol/bluetooth/controller-session';
import { deriveRotatingControllerIdentifier } from '@lintel/wire-protocol/bluetooth/rotating-controller-identifier';
import {
  addBluetoothFragment,
  type BluetoothFragmentAssembly,
  emptyBluetoothFragmentAssembly,
  splitIntoBluetoothFragments,
} from '@lintel/wire-protocol/bluetooth/fragments';
import { createEphemeralKey } from '@lintel/wire-protocol/bluetooth/session-keys';
import { toBase64url } from '@lintel/wire-protocol/encoding/base64url';
import {
  beginNfcPhoneAuthentication,
  continueNfcPhoneAuthentication,
  type NfcPhoneAuthenticationStep,
  type VerifyEd25519,
} from '@lintel/wire-protocol/phone/nfc-phone-authentication';
import { monotonic } from '@lintel/access-core/monotonic-time';
import { describe, expect, it } from 'vitest';
import {
  type BluetoothLink,
  createMemoryEnrollmentStore,
  createMemoryKeyPairStore,
  createWebCryptoKeyStore,
  GuestApiClient,
  MemberApiError,
  MemberPhone,
} from './index.ts';

const bluetoothKey = new Uint8Array(32).fill(7);
const random = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));
const verifyKey: VerifyEd25519 = (publicKey, message, signature) =>
  verify(
    null,
    message,
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: toBase64url(publicKey) }, format: 'jwk' }),
    signature,
  );

const doors = ['gad_front', 'gad_room'].map((id, index) => ({
  id,
  device_id: `dev_${index}`,
  name: id,
  actions: [{ id: 'open', name: 'Open' }],
}));

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, string>>;
}

/** A bridge that accepts one magic link. */
const createBridge = () => {
  const requests: SentRequest[] = [];
  let isOnline = true;
  const reply = (status: number, body: object) => new Response(JSON.stringify(body), { status });
  const send: typeof fetch = async (url, { method = 'GET', body } = {}) => {
    if (!isOnline) throw new TypeError('fetch failed');
    const path = new URL(url).pathname;
    const sent = body === undefined ? {} : (JSON.parse(body as string) as Record<string, string>);
    requests.push({ method, path, body: sent });
    if (path === '/guest/v1/session')
      return sent['magic_link'] === 'secret'
        ? reply(200, {})
        : reply(404, { type: 'not_found', message: 'This link is unknown or no longer valid', args: {} });
    if (path === '/guest/v1/me') {
      const site = { id: 'site_1', name: 'Hotel', gadgets: doors };
      return reply(200, { memberships: [{ member_id: 'mem_1', organization_name: 'Hotel', sites: [site] }] });
    }
    return reply(200, {
      member_id: 'mem_1',
      member_token_id: 'mt_1',
      organization_id: 'org_1',
      bluetooth_key: toBase64url(bluetoothKey),
    });
  };
  const api = new GuestApiClient({ bridgeUrl: 'https://doors.example.com/', fetch: send });
  return { requests, api, setOffline: () => void (isOnline = false) };
};

const enrolledPhone = async () => {
  const { api, requests, setOffline } = createBridge();
  const keys = createWebCryptoKeyStore(createMemoryKeyPairStore());
  const phone = new MemberPhone({ api, keys, enrollments: createMemoryEnrollmentStore() });
  await api.signIn('https://doors.example.com/g/secret');
  await phone.enroll();
  return { phone, keys, requests, setOffline };
};

/** A controller at the other end of the link, which sends `result` after a valid proof. */
const connectController = (
  deviceId: string,
  mtu: number,
  result: BluetoothResultName = 'granted',
): BluetoothLink & { readonly proofs: BluetoothProofOutcome[] } => {
  const outbox: Uint8Array[] = [];
  const proofs: BluetoothProofOutcome[] = [];
  let assembly: BluetoothFragmentAssembly = emptyBluetoothFragmentAssembly;
  let session: BluetoothControllerSession | null = null;
  const receive = async (message: Uint8Array): Promise<Uint8Array> => {
    if (session !== null) {
      proofs.push(await checkBluetoothProof(session, message, verifyKey));
      return encryptBluetoothResult(session, result);
    }
    const identity = { organization_id: 'org_1', device_id: deviceId };
    const step = await challengeBluetoothPhone(message, identity, bluetoothKey, {
      sessionId: random(BLUETOOTH_SESSION_ID_BYTES),
      nonce: random(BLUETOOTH_NONCE_BYTES),
      ephemeral: await createEphemeralKey(),
    });
    if (step.type === 'failed') throw new Error(step.result);
    ({ session } = step);
    return step.message;
  };
  return {
    mtu,
    proofs,
    write: async fragment => {
      expect(fragment.length).toBeLessThanOrEqual(mtu - 3);
      const step = addBluetoothFragment(assembly, fragment);
      assembly = step.type === 'incomplete' ? step.assembly : emptyBluetoothFragmentAssembly;
      if (step.type === 'message') outbox.push(...splitIntoBluetoothFragments(await receive(step.message), mtu - 3));
    },
    read: async () => outbox.shift() ?? new Uint8Array(),
  };
};

describe('GuestApiClient', () => {
  it('throws what the bridge answered', async () => {
    const { api } = createBridge();
    const error = await api.signIn('https://doors.example.com/g/wrong').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MemberApiError);
    expect(error).toMatchObject({ status: 404, type: 'not_found', message: 'This link is unknown or no longer valid' });
  });
});

describe('MemberPhone', () => {
  it('registers one key for each membership and keeps the doors', async () => {
    const { phone, keys, requests } = await enrolledPhone();
    await phone.enroll();
    const sent = requests.filter(({ path }) => path === '/guest/v1/phone_keys').map(({ body }) => body);
    const public_key = toBase64url((await keys.find('mem_1'))!.publicKey);
    expect(sent).toEqual([
      { member_id: 'mem_1', public_key },
      { member_id: 'mem_1', public_key },
    ]);
    expect(
      (await phone.doors()).map(({ gadget_id, device_id, site_name }) => [gadget_id, device_id, site_name]),
    ).toEqual([
      ['gad_front', 'dev_0', 'Hotel'],
      ['gad_room', 'dev_1', 'Hotel'],
    ]);
  });

  it.each([23, 185, 517])('opens a door over Bluetooth with an MTU of %i', async mtu => {
    const { phone, keys } = await enrolledPhone();
    const [door] = await phone.doors();
    const link = connectController('dev_0', mtu);
    expect(await phone.openDoor(link, { door: door!, rssi: -48 })).toBe('granted');
    expect(link.proofs).toEqual([
      {
        type: 'proven',
        public_key: toBase64url((await keys.find('mem_1'))!.publicKey),
        request: { gadget_id: 'gad_front', action_id: 'open', rssi: -48 },
      },
    ]);
  });

  it('returns the result of the controller', async () => {
    const { phone } = await enrolledPhone();
    const [door] = await phone.doors();
    expect(await phone.openDoor(connectController('dev_0', 23, 'too_far'), { door: door! })).toBe('too_far');
  });

  it('does not answer another controller, or a controller without the Bluetooth key', async () => {
    const { phone } = await enrolledPhone();
    const [door] = await phone.doors();
    const link = connectController('dev_1', 185);
    expect(await phone.openDoor(link, { door: door! })).toBe('unknown_controller');
    expect(link.proofs).toEqual([]);
  });

  it('identifies the doors of a controller without proving anything', async () => {
    const { phone } = await enrolledPhone();
    const link = connectController('dev_1', 23);
    expect(await phone.identifyController(link)).toMatchObject([{ gadget_id: 'gad_room', device_id: 'dev_1' }]);
    expect(await phone.identifyController(connectController('dev_9', 23))).toEqual([]);
    const silent = { mtu: 23, write: async () => undefined, read: async () => new Uint8Array() };
    expect(await phone.identifyController(silent)).toBe('malformed');
    expect(link.proofs).toEqual([]);
  });

  it('updates the doors of enrolled memberships without registering a key', async () => {
    const { phone, requests } = await enrolledPhone();
    const before = requests.length;
    const site = { name: 'Annex', gadgets: [{ ...doors[1]!, name: 'Suite' }] };
    const membership = { member_id: 'mem_1', organization_name: 'Grand Hotel', sites: [site] };
    const other = { ...membership, member_id: 'mem_2' };
    await phone.updateDoors([other, membership] as unknown as Parameters<typeof phone.updateDoors>[0]);
    expect(await phone.enrollments()).toMatchObject([{ member_id: 'mem_1', organization_name: 'Grand Hotel' }]);
    expect(await phone.doors()).toMatchObject([{ gadget_id: 'gad_room', name: 'Suite', site_name: 'Annex' }]);
    expect(requests).toHaveLength(before);
    await phone.updateDoors([]);
    expect(await phone.doors()).toHaveLength(1);
  });

  it('stops at a controller that sends nonsense', async () => {
    const { phone } = await enrolledPhone();
    const [door] = await phone.doors();
    const silent = { mtu: 23, write: async () => undefined, read: async () => new Uint8Array() };
    expect(await phone.openDoor(silent, { door: door! })).toBe('malformed');
    const endless = { ...silent, read: async () => Uint8Array.of(0, 1) };
    expect(await phone.openDoor(endless, { door: door! })).toBe('malformed');
  });

  it('recognizes the controllers of its doors only', async () => {
    const { phone } = await enrolledPhone();
    const seen = async (deviceId: string, key = bluetoothKey) =>
      (await phone.recognize(await deriveRotatingControllerIdentifier(key, deviceId, 5))).map(
        ({ gadget_id }) => gadget_id,
      );
    expect(await seen('dev_1')).toEqual(['gad_room']);
    expect(await seen('dev_9')).toEqual([]);
    expect(await seen('dev_1', new Uint8Array(32))).toEqual([]);
  });

  it('forgets a membership with its key', async () => {
    const { phone, keys } = await enrolledPhone();
    const [door] = await phone.doors();
    await phone.forget('mem_1');
    expect(await phone.doors()).toEqual([]);
    expect(await keys.find('mem_1')).toBeNull();
    expect(await phone.openDoor(connectController('dev_0', 23), { door: door! })).toBe('unknown_controller');
  });

  it('deletes its keys from the bridge and from the phone', async () => {
    const { phone, keys, requests } = await enrolledPhone();
    const [enrollment] = await phone.enrollments();
    expect(await phone.withdraw()).toEqual([]);
    expect(requests.at(-1)).toMatchObject({
      method: 'DELETE',
      path: `/guest/v1/phone_keys/${enrollment!.member_token_id}`,
    });
    expect(await phone.enrollments()).toEqual([]);
    expect(await keys.find('mem_1')).toBeNull();
  });

  it('deletes its keys from the phone while the bridge does not respond', async () => {
    const { phone, keys, setOffline } = await enrolledPhone();
    setOffline();
    expect(await phone.withdraw()).toEqual(['mem_1']);
    expect(await phone.enrollments()).toEqual([]);
    expect(await keys.find('mem_1')).toBeNull();
  });

  it('proves its key to an NFC reader', async () => {
    const { phone, keys } = await enrolledPhone();
    const card = await phone.nfcCard();
    const tap = async (organization_id: string): Promise<NfcPhoneAuthenticationStep> => {
      let step: NfcPhoneAuthenticationStep = beginNfcPhoneAuthentication({
        challenge: random(32),
        reader: { organization_id, device_id: 'dev_0' },
      });
      while (step.type === 'send')
        step = continueNfcPhoneAuthentication(step.state, await card.respond(step.apdu), monotonic(0), verifyKey);
      return step;
    };
    const public_key = toBase64url((await keys.find('mem_1'))!.publicKey);
    expect(await tap('org_1')).toEqual({ type: 'proven', public_key });
    expect(await tap('org_2')).toEqual({ type: 'failed', reason: 'refused' });
  });

  it('keeps private keys that cannot be read', async () => {
    const pairs = createMemoryKeyPairStore();
    await createWebCryptoKeyStore(pairs).create('mem_1');
    expect((await pairs.get('mem_1'))!.privateKey.extractable).toBe(false);
  });
});
