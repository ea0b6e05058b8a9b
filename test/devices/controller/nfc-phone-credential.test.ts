import { DoorHarness } from '@lintel/device-runtime/testing';
import { expect, it } from 'vitest';
import { ControllerSite } from '../../support/devices/controller-site.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';

describeOnBothDatabases('phone with a member token', bridge => {
  it('opens the door with the snapshot from the bridge until the token is deleted', async () => {
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
});
