import type { useTestOrganization } from '../../test-organization.test-support.ts';

/** Adds a claimed device with the session of this nonce. Returns its link. */
export const addClaimedDevice = async (
  { database, organization }: ReturnType<typeof useTestOrganization>,
  session_nonce: string | null = null,
) => {
  const site = await organization.site();
  const { device } = await organization.device(site.id, { hardwareId: database.services.newId('hardware') });
  const link = {
    device_id: device.id,
    organization_id: organization.id,
    digest_key_id: 'k1',
    sealed_digest_key: '',
    serial: '01',
    session_nonce,
    seen_at: null,
    offline_since: null,
    firmware: null,
    event_sequence: 0,
    received_events: '{}',
    hello_counter: 5,
    awaits_revocations: 0,
    is_confirmed: 1,
    claim_ticket_id: null,
    stolen_at: null,
  };
  await database.insert('device_links', link);
  return link;
};
