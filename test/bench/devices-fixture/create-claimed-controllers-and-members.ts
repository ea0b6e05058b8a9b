import { type ClaimedDevice, getOrganizationPublicKey, insertClaimedDevices } from '@lintel/cloud-bridge/testing';
import type { TestBridge, TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { createTestSite, door } from '../../support/bridge/site-fixtures.ts';

/** Identity of a claimed controller. */
export type BenchController = Pick<ClaimedDevice, 'deviceId' | 'serial' | 'digestKeyId' | 'key'>;

export interface BenchFleet {
  readonly organizationId: string;
  readonly organizationKey: string;
  readonly controllers: readonly BenchController[];
}

/** Creates claimed controllers directly in the database. */
export const createClaimedFleet = async (
  { services, now }: TestBridge,
  client: TestOrganizationClient,
  count: number,
): Promise<BenchFleet> => {
  const { organizationId } = client;
  // Recorded before the certificates of the fleet, which are not of this authority.
  await services.authority();
  const siteId = await createTestSite({ services }, client);
  const wanted = { count, siteId, gadgets: [door], certificateExpiresAt: now + 1e10 };
  const controllers = await insertClaimedDevices(services, organizationId, wanted);
  return { organizationId, organizationKey: await getOrganizationPublicKey(services, organizationId), controllers };
};
