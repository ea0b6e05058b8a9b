import { expect, it } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import type { TestBridge } from '../../support/bridge/test-bridge.ts';
import { ControllerIdentity } from '../../support/devices/controller-identity.ts';
import { ControllerSite } from '../../support/devices/controller-site.ts';

/** The controller has sent an event and is offline. */
const openSite = async (bridge: TestBridge) => {
  const site = await ControllerSite.openConnected(bridge);
  const { client, controller, gadgetId } = site;
  const event = controller.event({ kind: 'use', gadget_id: gadgetId as never, gadget_action_id: 'open' });
  const ack = controller.next('ack');
  await controller.send('events', { v: 1, events: [event] });
  await ack;
  await controller.stop();
  const owner = await openAdminSession(bridge, client.organizationId, 'owner');
  const claim = async (identity: ControllerIdentity) => {
    const place = { site_id: site.siteId, device_id: controller.deviceId };
    const { ticket } = await owner.callOk('POST', '/claim_tickets', place);
    return identity.redeem(bridge, { ticket: String(ticket) });
  };
  const replacements = async () => {
    const { data } = await client.callOk('GET', `/events?object.device_id=${controller.deviceId}&sort=created_at:desc`);
    return data.filter(({ reason }) => reason === 'controller_replaced');
  };
  return { site, claim, replacements };
};

describeOnBothDatabases('the event of a replacement', bridge => {
  it('leaves a record of the last event that arrived from the old one', async () => {
    const { site, claim, replacements } = await openSite(bridge());
    await claim(new ControllerIdentity(bridge()));
    expect(await replacements()).toMatchObject([
      { verb: 'edit', object: { device_id: site.controller.deviceId }, details: { last_received: '1' } },
    ]);
  });

  it('leaves none when the same hardware is claimed again', async () => {
    const { site, claim, replacements } = await openSite(bridge());
    await claim(site.controller.identity);
    expect(await replacements()).toEqual([]);
  });
});
