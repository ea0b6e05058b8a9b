import {
  createMemoryEnrollmentStore,
  createMemoryKeyPairStore,
  createWebCryptoKeyStore,
  GuestApiClient,
  MemberPhone,
} from '@lintel/member-sdk';
import { expect, it } from 'vitest';
import { createGuestWithLink, createPhoneFetch } from '../../support/bridge/guest-phone.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDoor } from '../../support/bridge/site-fixtures.ts';

describeOnBothDatabases('MemberPhone', bridge => {
  it('enrolls with a magic link and lists the doors of the member', async () => {
    const client = await bridge().newOrganization();
    const { gadgetId, deviceId } = await createTestDoor(bridge(), client, { name: 'Main house' });
    const { link, memberId } = await createGuestWithLink(client, [{}]);
    const api = new GuestApiClient({ bridgeUrl: 'https://doors.example.test', fetch: createPhoneFetch(bridge()) });
    const keys = createWebCryptoKeyStore(createMemoryKeyPairStore());
    const phone = new MemberPhone({ api, keys, enrollments: createMemoryEnrollmentStore() });
    await expect(phone.enroll()).rejects.toMatchObject({ status: 401, type: 'unauthorized' });
    await api.signIn(link);
    const [enrollment] = await phone.enroll();
    expect(enrollment).toMatchObject({ member_id: memberId, organization_name: 'Test' });
    expect(await phone.doors()).toEqual([
      {
        organization_id: enrollment!.organization_id,
        device_id: deviceId,
        gadget_id: gadgetId,
        name: 'Front door',
        site_name: 'Main house',
        actions: [
          { id: 'open', name: 'Open' },
          { id: 'hold', name: 'Hold open' },
        ],
      },
    ]);
    expect((await client.get(`/members/${memberId}/tokens`)).body.data).toMatchObject([
      { id: enrollment!.member_token_id },
    ]);
  });
});
