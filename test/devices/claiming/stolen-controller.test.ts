import { expect, it } from 'vitest';
import { adminWithToken, openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDoor } from '../../support/bridge/site-fixtures.ts';
import { ControllerSite } from '../../support/devices/controller-site.ts';

interface Report {
  readonly dry_run: boolean;
  readonly pin_count: number;
  readonly card_count: number;
  readonly members: readonly {
    readonly member_id: string;
    readonly name: string;
    readonly email: { readonly id: string } | null;
    readonly pins: readonly {
      readonly id: string;
      readonly length: number;
      readonly new_id: string | null;
      readonly pin: string | null;
    }[];
    readonly cards: readonly { readonly uid: string }[];
  }[];
}

describeOnSqliteFirst('POST /devices/{device_id}/report_stolen', bridge => {
  it('revokes the controller, replaces the PINs that it has, and names its cards', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { client, controller, groupId } = site;
    const { deviceId } = controller;
    const ann = await site.createMember([groupId], '258013');
    const email = await client.callOk('POST', `/members/${ann}/emails`, { email: 'ann@example.test' });
    const bob = await site.createMember([groupId], '8520');
    const { id: cardId } = await client.callOk('POST', '/cards', { uid: '04a1b2c3' });
    await client.callOk('POST', `/members/${bob}/cards`, { card_id: cardId });
    // Opens another door only.
    const other = await createTestDoor(bridge(), client);
    const { id: otherGroup } = await client.callOk('POST', '/member_groups', {
      name: 'Elsewhere',
      permissions: [{ gadget_id: other.gadgetId }],
    });
    const eve = await site.createMember([otherGroup], '741074');
    await site.waitUntilMemberCached(bob);
    await controller.waitUntil(() => site.cachedMember(bob)?.cards.length === 1, 'the card');

    const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    const path = `/devices/${deviceId}/report_stolen`;
    for (const role of ['technician', 'front_desk', 'viewer'] as const) {
      const other = await openAdminSession(bridge(), client.organizationId, role, [site.siteId]);
      expect((await other.call('POST', path, { dry_run: true })).status).toBe(403);
    }
    const application = await adminWithToken(bridge(), client.organizationId, 'full_read_write');
    expect((await application.call('POST', path, { dry_run: true })).status).toBe(403);

    const preview = (await owner.callOk('POST', path, { dry_run: true })) as unknown as Report;
    expect(preview).toMatchObject({ dry_run: true, pin_count: 2, card_count: 1 });
    expect(preview.members.map(({ member_id }) => member_id).toSorted()).toEqual([ann, bob].toSorted());
    expect(preview.members.flatMap(({ pins }) => pins.map(({ pin }) => pin))).toEqual([null, null]);
    expect(await site.isOnline()).toBe(true);

    const report = (await owner.callOk('POST', path, {})) as unknown as Report;
    expect(report).toMatchObject({ dry_run: false, pin_count: 2, card_count: 1 });
    const of = (id: string) => report.members.find(({ member_id }) => member_id === id)!;
    expect(of(ann)).toMatchObject({ email: { id: email.id }, pins: [{ length: 6 }], cards: [] });
    expect(of(bob)).toMatchObject({ email: null, pins: [{ length: 4 }], cards: [{ uid: '04a1b2c3' }] });
    for (const member of [ann, bob]) {
      const [replaced] = of(member).pins;
      const { data } = await client.callOk('GET', `/members/${member}/pins`);
      expect(data.map(({ id }) => id)).toEqual([replaced!.new_id]);
      const revealed = await owner.callOk('POST', `/members/${member}/pins/${replaced!.new_id}/reveal`);
      expect(revealed['pin']).toBe(replaced!.pin);
      expect(['258013', '8520']).not.toContain(replaced!.pin);
    }
    expect((await client.callOk('GET', `/members/${eve}/pins`)).data).toHaveLength(1);

    // The same report continues where it was interrupted: it changes no PIN twice.
    expect(await owner.callOk('POST', path, {})).toMatchObject({ pin_count: 0 });
    await bridge().devices.whenIdle();
    expect(await site.isOnline()).toBe(false);
    await expect(controller.connect(site.url)).rejects.toThrow();
    await controller.stop();
  });
});
