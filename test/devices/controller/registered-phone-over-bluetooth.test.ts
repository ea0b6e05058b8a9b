import {
  createMemoryEnrollmentStore,
  createMemoryKeyPairStore,
  createWebCryptoKeyStore,
  GuestApiClient,
  MemberPhone,
} from '@lintel/member-sdk';
import { describe, expect, it } from 'vitest';
import { createGuestWithLink, createPhoneFetch } from '../../support/bridge/guest-phone.ts';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { FirmwareSite } from '../../support/devices/firmware-site.ts';

describe('phone over Bluetooth', () => {
  it('opens with the key that it registered, both offline, until its token is deleted', async () => {
    const bridge = await TestBridge.open();
    const site = await FirmwareSite.open(bridge);
    try {
      const controller = await site.claimController();
      const { link, memberId } = await createGuestWithLink(site.client, [{ gadget_id: controller.gadgetId }]);
      const api = new GuestApiClient({ bridgeUrl: 'https://doors.example.test', fetch: createPhoneFetch(bridge) });
      const keys = createWebCryptoKeyStore(createMemoryKeyPairStore());
      const phone = new MemberPhone({ api, keys, enrollments: createMemoryEnrollmentStore() });
      await api.signIn(link);
      const [enrollment] = await phone.enroll();
      const [door] = await phone.doors();
      const open = () =>
        phone.openDoor(controller.running.radio.connect('phone', -50), { door: door!, action_id: 'open', rssi: -50 });

      controller.start();
      await controller.waitUntilSynced();
      // The first request makes the controller ask for the Bluetooth key.
      await expect.poll(open).toBe('granted');
      expect(controller.isUnlocked).toBe(true);
      await controller.waitUntilEventsUploaded();
      const [event] = await site.events(`verb=use&object.gadget_id=${controller.gadgetId}`);
      expect(event).toMatchObject({
        subject: { access_method: 'bluetooth', member_id: memberId, member_token_id: enrollment!.member_token_id },
        object: { gadget_id: controller.gadgetId, gadget_action_id: 'open' },
      });

      await controller.stop();
      controller.start('mqtt://127.0.0.1:1');
      expect(await open()).toBe('granted');
      await controller.stop();

      controller.start();
      await site.client.callOk('DELETE', `/members/${memberId}/tokens/${enrollment!.member_token_id}`);
      await controller.waitUntilSynced();
      expect(await open()).toBe('denied');
    } finally {
      await site.close();
      await bridge.close();
    }
  });
});
