import { DoorWorld } from '@lintel/device-runtime/testing/door-world';
import { expect, it } from 'vitest';
import { DeviceHotel } from '../../support/devices/device-hotel.ts';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';

onBothEngines('a phone with a member token', world => {
  it('opens the door by the slice that the bridge sends, until the token is deleted', async () => {
    const hotel = await DeviceHotel.running(world());
    const { client, controller, gadgetId } = hotel;
    const member = await hotel.member();
    const made = await client.done('POST', `/members/${member}/tokens`, {});
    const token = String(made['token']);
    await controller.until(() => hotel.held(member)?.tokens.length === 1, 'the token');
    const door = await DoorWorld.open([...controller.entries.values()]);

    expect(await door.reader.tapPhone(token)).toBe(true);
    const subject = { member_id: member, member_token_id: made.id, access_method: 'mobile_nfc' };
    expect(door.recorded[0]).toMatchObject({ kind: 'use', gadget_id: gadgetId, subject });

    await client.done('DELETE', `/members/${member}/tokens/${made.id}`);
    await controller.until(() => hotel.held(member)?.tokens.length === 0, 'the end of the token');
    await door.serve([...controller.entries.values()]);
    await door.reader.tapPhone(token);
    expect(door.recorded.at(-1)).toMatchObject({ kind: 'deny', reason: 'unknown_credential' });
    await controller.stop();
  });
});
