import { createPrivateKey, createPublicKey } from 'node:crypto';
import { encodeEd25519Pkcs8 } from '@lintel/wire-protocol/phone/member-token-seed';
import { phoneEnrollmentResponseSchema } from '@lintel/wire-protocol/guest/guest-api';
import { describe, expect, it } from 'vitest';
import { createGuestWithLink, GuestPhone } from '../../support/bridge/guest-phone.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';

/** The public key of the seed of 32 such bytes. */
const keyOf = (byte: number): string => {
  const key = Buffer.from(encodeEd25519Pkcs8(Buffer.alloc(32, byte)));
  return createPublicKey(createPrivateKey({ key, format: 'der', type: 'pkcs8' })).export({ format: 'jwk' }).x!;
};

describeOnBothDatabases('POST /guest/v1/phone_keys', bridge => {
  const arrange = async (member: object = {}) => {
    const client = await bridge().newOrganization();
    const guest = await createGuestWithLink(client, [{}], member);
    const phone = new GuestPhone(bridge());
    await phone.openLink(guest.link);
    return { client, phone, ...guest };
  };
  const enroll = (phone: GuestPhone, public_key: string, more: object = {}) =>
    phone.call('POST', '/phone_keys', { public_key, ...more });

  it('registers the key as a token of the member, and the event names the guest', async () => {
    const { client, phone, memberId, linkId } = await arrange();
    const { status, body } = await enroll(phone, keyOf(1));
    expect(status).toBe(200);
    const enrolled = phoneEnrollmentResponseSchema.parse(body);
    expect(enrolled.member_id).toBe(memberId);
    expect(Buffer.from(enrolled.bluetooth_key, 'base64url')).toHaveLength(32);
    const tokens = (await client.get(`/members/${memberId}/tokens`)).body.data;
    expect(tokens.map(({ id }: { id: string }) => id)).toEqual([enrolled.member_token_id]);
    const [event] = (await client.get('/events?verb=create&object.type=member_token')).body.data;
    expect(event).toMatchObject({
      subject: { member_id: memberId, member_magic_link_id: linkId },
      object: { member_token_id: enrolled.member_token_id },
    });
  });

  it('returns the same token and Bluetooth key for the same key', async () => {
    const { phone } = await arrange();
    const first = await enroll(phone, keyOf(1));
    expect((await enroll(phone, keyOf(1))).body).toEqual(first.body);
  });

  it('returns one Bluetooth key for an organization and another one for another organization', async () => {
    const { client, phone } = await arrange();
    const other = await createGuestWithLink(client, [{}]);
    const otherPhone = new GuestPhone(bridge());
    await otherPhone.openLink(other.link);
    const key = (await enroll(phone, keyOf(1))).body['bluetooth_key'];
    expect((await enroll(otherPhone, keyOf(2))).body['bluetooth_key']).toBe(key);
    const elsewhere = await arrange();
    expect((await enroll(elsewhere.phone, keyOf(1))).body['bluetooth_key']).not.toBe(key);
  });

  it('rejects keys for which anybody can sign, and other encodings of a key', async () => {
    const { phone } = await arrange();
    for (const hex of ['00'.repeat(32), `01${'00'.repeat(31)}`, `ee${'ff'.repeat(30)}7f`]) {
      const key = Buffer.from(hex, 'hex').toString('base64url');
      expect(await enroll(phone, key)).toMatchObject({ status: 400, body: { args: { field: 'public_key' } } });
    }
  });

  it('ends a phone with the magic link that it was enrolled with, with events and a revocation', async () => {
    const { client, phone, memberId, linkId } = await arrange();
    const enrolled = (await enroll(phone, keyOf(1))).body['member_token_id'] as string;
    const { id: fromApi } = await client.callOk('POST', `/members/${memberId}/tokens`, {});
    await client.callOk('DELETE', `/members/${memberId}/magic_links/${linkId}`);
    const { data } = await client.callOk('GET', `/members/${memberId}/tokens?is_deleted=any`);
    expect(Object.fromEntries(data.map(token => [token.id, token['is_deleted']]))).toEqual({
      [enrolled]: true,
      [fromApi]: false,
    });
    const deletions = await client.callOk('GET', `/events?verb=delete&object.member_id=${memberId}`);
    expect(deletions.data.map(({ object }) => (object as { type: string }).type).toSorted()).toEqual([
      'member_magic_link',
      'member_token',
    ]);
  });

  it('rejects a key of another member, a malformed key, and an eleventh phone', async () => {
    const { client, phone } = await arrange();
    for (let byte = 1; byte <= 10; byte += 1) expect((await enroll(phone, keyOf(byte))).status).toBe(200);
    expect(await enroll(phone, keyOf(11))).toMatchObject({ status: 400, body: { args: { field: 'public_key' } } });
    const other = await createGuestWithLink(client, [{}]);
    const otherPhone = new GuestPhone(bridge());
    await otherPhone.openLink(other.link);
    for (const key of [keyOf(1), '', keyOf(1).slice(1), `${keyOf(1)}A`, `${keyOf(1).slice(0, -1)}F`])
      expect(await enroll(otherPhone, key)).toMatchObject({ status: 400, body: { args: { field: 'public_key' } } });
  });

  it('requires a session of a current member, from the same origin', async () => {
    expect((await enroll(new GuestPhone(bridge()), keyOf(1))).status).toBe(401);
    const { client, phone, memberId } = await arrange();
    expect((await enroll(phone, keyOf(1), { member_id: 'mem_other' })).status).toBe(400);
    const crossOrigin = { origin: 'https://attacker.example' };
    expect((await phone.call('POST', '/phone_keys', { public_key: keyOf(1) }, crossOrigin)).status).toBe(403);
    await client.callOk('PATCH', `/members/${memberId}`, { ends_at: '2026-05-01T00:00:00Z' });
    expect((await enroll(phone, keyOf(1))).status).toBe(403);
  });

  it('registers a phone again after its token was deleted', async () => {
    const { client, phone, memberId } = await arrange();
    const first = (await enroll(phone, keyOf(1))).body['member_token_id'] as string;
    await client.callOk('DELETE', `/members/${memberId}/tokens/${first}`);
    expect((await enroll(phone, keyOf(1))).body['member_token_id']).not.toBe(first);
  });

  describe('DELETE /guest/v1/phone_keys/:member_token_id', () => {
    const enrolled = async () => {
      const arranged = await arrange();
      const tokenId = (await enroll(arranged.phone, keyOf(1))).body['member_token_id'] as string;
      const tokens = async (): Promise<readonly { id: string }[]> =>
        (await arranged.client.get(`/members/${arranged.memberId}/tokens`)).body.data;
      return { ...arranged, tokenId, tokens };
    };

    it('deletes the token, also a second time, and the event names the guest', async () => {
      const { client, phone, memberId, linkId, tokenId, tokens } = await enrolled();
      for (let attempt = 0; attempt < 2; attempt += 1)
        expect((await phone.call('DELETE', `/phone_keys/${tokenId}`)).status).toBe(200);
      expect(await tokens()).toEqual([]);
      const events = (await client.get('/events?verb=delete&object.type=member_token')).body.data;
      expect(events).toHaveLength(1);
      expect(events[0]).toMatchObject({
        subject: { member_id: memberId, member_magic_link_id: linkId },
        object: { member_token_id: tokenId },
      });
    });

    it('deletes the token of a member whose access has ended', async () => {
      const { client, phone, memberId, tokenId, tokens } = await enrolled();
      await client.callOk('PATCH', `/members/${memberId}`, { ends_at: '2026-05-01T00:00:00Z' });
      expect((await phone.call('DELETE', `/phone_keys/${tokenId}`)).status).toBe(200);
      expect(await tokens()).toEqual([]);
    });

    it('rejects a key of another member or organization, an unknown key, and requests without a session', async () => {
      const { client, phone, tokenId, tokens } = await enrolled();
      const neighbor = await createGuestWithLink(client, [{}]);
      const neighborPhone = new GuestPhone(bridge());
      await neighborPhone.openLink(neighbor.link);
      const { phone: strangerPhone } = await arrange();
      for (const other of [neighborPhone, strangerPhone])
        expect((await other.call('DELETE', `/phone_keys/${tokenId}`)).status).toBe(404);
      expect((await phone.call('DELETE', '/phone_keys/mt_unknown')).status).toBe(404);
      expect((await new GuestPhone(bridge()).call('DELETE', `/phone_keys/${tokenId}`)).status).toBe(401);
      const crossOrigin = { origin: 'https://attacker.example' };
      expect((await phone.call('DELETE', `/phone_keys/${tokenId}`, undefined, crossOrigin)).status).toBe(403);
      expect((await tokens()).map(({ id }) => id)).toEqual([tokenId]);
    });
  });
});
