import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createDevice } from '@lintel/cloud-bridge/resources/devices';
import { storeDeviceCertificate } from '../../../cloud-bridge/src/resources/device-certificates.ts';
import { resetDeviceLink } from '../../../cloud-bridge/src/resources/device-links-and-digest-keys.ts';
import { getOrCreateOrganizationSigningKey } from '../../../cloud-bridge/src/resources/organization-signing-keys.ts';
import type { TestBridge, TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { createTestSite, door } from '../../support/bridge/site-fixtures.ts';

/** Identity of a claimed controller. */
export interface BenchController {
  readonly deviceId: string;
  readonly serial: string;
  /** Private key as PEM. */
  readonly key: string;
}

export interface BenchFleet {
  readonly organizationId: string;
  readonly organizationKey: string;
  readonly controllers: readonly BenchController[];
}

/** Creates claimed controllers directly in the database. */
export const createClaimedFleet = async (
  world: TestBridge,
  client: TestOrganizationClient,
  count: number,
): Promise<BenchFleet> => {
  // Recorded before the certificates of the fleet, which are not of this authority.
  await world.bridge.services.authority();
  const site_id = await createTestSite(world, client);
  const { writer, newId } = world.bridge.services;
  const controllers: BenchController[] = [];
  const organizationKey = await writer.write(client.organizationId, {}, async context => {
    for (let index = 0; index < count; index++) {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const hardwareId = newId('hardware');
      const { device } = await createDevice(context, {
        site_id,
        name: `Door ${index}`,
        product_id: 'virtual',
        hardware_id: hardwareId,
        gadgets: [door],
      });
      const serial = `01${randomBytes(15).toString('hex')}`;
      const { x = '' } = publicKey.export({ format: 'jwk' });
      const issued = { serial, publicKey: x, certificate: '', expiresAt: world.now + 1e10 };
      await storeDeviceCertificate(context, issued, { deviceId: device.id, hardwareId, claimTicketId: null });
      await resetDeviceLink(context, device.id, serial, { id: 'k1', key: randomBytes(32).toString('base64url') });
      controllers.push({
        deviceId: device.id,
        serial,
        key: String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
      });
    }
    return (await getOrCreateOrganizationSigningKey(context)).publicKey;
  });
  return { organizationId: client.organizationId, organizationKey, controllers };
};

/** Creates members of a group directly in the database. */
export const createMembers = async (
  { bridge }: TestBridge,
  { organizationId }: TestOrganizationClient,
  groupId: string,
  count: number,
  withPin: (
    context: Parameters<Parameters<typeof bridge.services.writer.write>[2]>[0],
    id: string,
    index: number,
  ) => Promise<void>,
): Promise<string[]> => {
  const all: string[] = [];
  for (let from = 0; from < count; from += 500) {
    await bridge.services.writer.write(organizationId, {}, async context => {
      const { db, newId, now } = context;
      const common = { organization_id: organizationId, is_deleted: 0, created_at: now, metadata: '{}' } as const;
      const range = { starts_at: null, ends_at: null };
      const shown = { name: 'Guest', language: null, tag_ids: '[]', expired_for: null };
      const ids = Array.from({ length: Math.min(500, count - from) }, () => newId('member'));
      await db
        .insertInto('members')
        .values(ids.map(id => ({ id, ...common, ...range, ...shown })))
        .execute();
      await db
        .insertInto('member_group_associations')
        .values(
          ids.map(member_id => {
            const id = newId('member_group_association');
            return { id, member_id, member_group_id: groupId, ...common, ...range };
          }),
        )
        .execute();
      for (const [index, id] of ids.entries()) {
        await withPin(context, id, from + index);
        context.markChanged('member', id);
      }
      all.push(...ids);
    });
  }
  return all;
};
