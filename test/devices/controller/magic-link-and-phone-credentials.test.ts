import { DoorHarness } from '@lintel/device-runtime/testing';
import { expect, it } from 'vitest';
import { ControllerSite } from '../../support/devices/controller-site.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';

describeOnBothDatabases(
  'credential',
  bridge => {
    it('of a magic link, as a QR code, opens the door with the snapshot from the bridge until the link is deleted', async () => {
      const site = await ControllerSite.openConnected(bridge());
      const { client, controller, gadgetId } = site;
      const member = await site.createMember();
      const made = await client.callOk('POST', `/members/${member}/magic_links`, {});
      const link = String(made['link']);
      const cachedLinks = () => site.cachedMember(member)?.magic_links ?? [];
      await controller.waitUntil(() => cachedLinks().length === 1, 'the link in the snapshot');
      expect(JSON.stringify([...controller.entries.values()])).not.toContain(link.split('/').at(-1));
      const digestKey = Buffer.from(controller.identity.digestKey.key, 'base64url');
      const door = await DoorHarness.open([...controller.entries.values()], { digestKey });

      door.reader.showQrCode(link);
      const subject = { member_id: member, member_magic_link_id: made.id, access_method: 'online' };
      expect(door.recorded[0]).toMatchObject({ kind: 'use', gadget_id: gadgetId, subject });

      await client.callOk('DELETE', `/members/${member}/magic_links/${made.id}`);
      await controller.waitUntil(() => cachedLinks().length === 0, 'the link to be removed');
      const revocations = controller.received.filter(({ kind }) => kind === 'revoke').map(({ message }) => message);
      expect(revocations).toContainEqual(expect.objectContaining({ member_magic_link_ids: [made.id] }));
      await door.serve([...controller.entries.values()]);
      door.reader.showQrCode(link);
      expect(door.recorded.at(-1)).toMatchObject({ kind: 'deny', reason: 'unknown_credential' });
      await controller.stop();
    });

    it('of a phone opens the door with the snapshot from the bridge until its token is deleted', async () => {
      const site = await ControllerSite.openConnected(bridge());
      const { client, controller, gadgetId } = site;
      const member = await site.createMember();
      const made = await client.callOk('POST', `/members/${member}/tokens`, {});
      const token = String(made['token']);
      await controller.waitUntil(() => site.cachedMember(member)?.tokens.length === 1, 'the token in the snapshot');
      const door = await DoorHarness.open([...controller.entries.values()]);

      expect(await door.reader.tapPhone(token)).toBe(true);
      const subject = { member_id: member, member_token_id: made.id, access_method: 'mobile_nfc' };
      expect(door.recorded[0]).toMatchObject({ kind: 'use', gadget_id: gadgetId, subject });

      await client.callOk('DELETE', `/members/${member}/tokens/${made.id}`);
      await controller.waitUntil(() => site.cachedMember(member)?.tokens.length === 0, 'the token to be removed');
      await door.serve([...controller.entries.values()]);
      await door.reader.tapPhone(token);
      expect(door.recorded.at(-1)).toMatchObject({ kind: 'deny', reason: 'unknown_credential' });
      await controller.stop();
    });
  },
  {},
  ['slow'],
);
