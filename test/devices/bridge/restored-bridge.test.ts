import { encodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { toBase64url } from '@lintel/wire-protocol/encoding/base64url';
import type { RevocationMqttMessage } from '@lintel/wire-protocol/mqtt/messages/revocation';
import { encodeSignedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { expect, it, vi } from 'vitest';
import { DatabaseUnavailableError, resetOrganizationKeys } from '@lintel/cloud-bridge/testing';
import { adminWithToken } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { claimController, ControllerSite } from '../../support/devices/controller-site.ts';

const revocationOf = (member_ids: readonly string[], revision: number): RevocationMqttMessage =>
  ({
    v: 1,
    revision,
    member_ids,
    member_pin_ids: [],
    member_card_ids: [],
    member_token_ids: [],
    member_group_association_ids: [],
  }) as unknown as RevocationMqttMessage;

describeOnSqliteFirst('A bridge and controllers that know more', bridge => {
  const incidentsOf = async ({ client }: ControllerSite) => {
    const admin = await adminWithToken(bridge(), client.organizationId, 'full_read_only');
    return (await admin.callOk('GET', '/incidents')).data;
  };

  it('continues above the revision and the revocation counter that a controller reports', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { controller, client } = site;
    await controller.hello({ snapshot: { revision: 5_000, digest: '0'.repeat(64) }, revoke_counter: 70 });
    await controller.waitUntil(() => (controller.snapshot?.revision ?? 0) > 5_000, 'a snapshot above revision 5000');
    expect(controller.messagesOf('time').at(-1)).toMatchObject({ revision: 5_001, revoke_counter: 70 });
    expect(await incidentsOf(site)).toMatchObject([{ kind: 'bridge_behind', device_ids: [controller.deviceId] }]);
    const member = await site.createMember();
    await client.callOk('DELETE', `/members/${member}`);
    await controller.waitUntil(() => controller.windows.revoke.highest === 71, 'revocation 71');
    await controller.stop();
  });

  it('does not believe counters that are implausible', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { controller } = site;
    const answered = controller.next('time');
    await controller.hello({ revoke_counter: Number.MAX_SAFE_INTEGER });
    expect(await answered).toMatchObject({ revoke_counter: 0 });
    expect(await incidentsOf(site)).toMatchObject([{ kind: 'controller_ahead', device_ids: [controller.deviceId] }]);
    await controller.stop();
  });

  it('sends no access data to a controller with an unknown snapshot until it answers', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { controller } = site;
    const unknown = { revision: 1, digest: '0'.repeat(64) };
    const snapshots = controller.messagesOf('snapshot').length;
    controller.answersRevocationRequests = false;
    await controller.hello({ snapshot: unknown });
    for (const have of [unknown, unknown, unknown, null, null]) {
      await controller.send('sync-request', { v: 1, have, resume: null });
      const answered = controller.next('time');
      await controller.send('time-request', { v: 1, nonce: controller.nonce });
      await answered;
    }
    await bridge().devices.whenIdle();
    expect(controller.messagesOf('snapshot')).toHaveLength(snapshots);
    const answered = controller.next('snapshot');
    await controller.send('revocations', { v: 1, frames: [] });
    expect(await answered).toMatchObject({ from: null });
    await controller.stop();
  });

  it('stops believing a controller that is ahead again and again, which costs other controllers nothing', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { controller, url } = site;
    const other = await claimController(bridge(), site.client, site.siteId);
    await other.start(url);
    const organizationRevision = () => controller.messagesOf('time').at(-1)?.revision ?? 0;
    const snapshots = other.messagesOf('snapshot').length;
    for (let ahead = 1_000; ahead <= 10_000; ahead += 1_000) {
      const answered = controller.next('time');
      await controller.hello({ snapshot: { revision: ahead, digest: '0'.repeat(64) } });
      await answered;
    }
    expect(organizationRevision()).toBe(5_001);
    expect(await incidentsOf(site)).toMatchObject([{ kind: 'controller_ahead' }, { kind: 'bridge_behind' }]);
    expect(other.messagesOf('snapshot')).toHaveLength(snapshots);
    await other.stop();
    await other.connect(url);
    const delta = other.next('snapshot');
    await other.hello();
    expect((await delta).from).not.toBe(null);
    await other.stop();
    await controller.stop();
  });

  it('applies no revocation that the organization has not signed', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { controller, client } = site;
    const member = await site.createMember();
    const { organization_id } = controller.claimed;
    const header = { v: 1, kind: 'revoke', signer: organization_id, audience: organization_id, serial: '' } as const;
    const forged = encodeSignedFrame(
      { ...header, counter: 9, encoding: 'identity' },
      encodeMqttMessage('revoke', revocationOf([member], 99)),
      bytes => controller.identity.sign(bytes),
    );
    await controller.send('revocations', { v: 1, frames: [toBase64url(forged), 'AAAA'] });
    // Messages of a device are handled in order.
    const answered = controller.next('time');
    await controller.send('time-request', { v: 1, nonce: controller.nonce });
    await answered;
    expect(await client.callOk('GET', `/members/${member}`)).toMatchObject({ is_deleted: false });
    expect(await incidentsOf(site)).toEqual([]);
    await controller.stop();
  });

  it('sends the revocations that a controller has missed', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { controller, client, url } = site;
    const member = await site.createMember();
    await controller.stop();
    await client.callOk('DELETE', `/members/${member}`);
    await controller.connect(url);
    const missed = controller.next('missed-revocations');
    await controller.hello();
    expect((await missed).frames).toHaveLength(1);
    await controller.stop();
  });

  it('accepts a hello whose commit was not confirmed, and no replay of it', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { controller } = site;
    const { writer } = bridge().services;
    const write = writer.write.bind(writer);
    const lostAnswer = vi.spyOn(writer, 'write').mockImplementationOnce(async (...args) => {
      await write(...args);
      throw new DatabaseUnavailableError('connection terminated');
    });
    const published = vi.spyOn(controller, 'publish');
    const answered = controller.next('time');
    await controller.hello();
    await answered;
    expect(lostAnswer).toHaveBeenCalled();
    lostAnswer.mockRestore();
    const dropped = bridge().devices.droppedMessages;
    await controller.publish(...published.mock.calls[0]!);
    await bridge().devices.whenIdle();
    expect(bridge().devices.droppedMessages).toBe(dropped + 1);
    await controller.stop();
  });

  it('revokes again after its keys were reset', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { client, siteId, controller } = site;
    const members = [await site.createMember(), await site.createMember()];
    await client.callOk('DELETE', `/members/${members[0]}`);
    await controller.stop();
    await resetOrganizationKeys(bridge().services, client.organizationId);
    await claimController(bridge(), client, siteId);
    await client.callOk('DELETE', `/members/${members[1]}`);
    expect(await client.callOk('GET', `/members/${members[1]}`)).toMatchObject({ is_deleted: true });
  });
});
