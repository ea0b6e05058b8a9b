import type { DeviceId, OrganizationId, SiteId } from '@lintel/access-core/ids';
import { readVerifiedTechnicianPass } from '@lintel/wire-protocol/claiming/technician-pass';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { findRequestTime } from '../request-id.ts';

/** The controller that sent a message. */
export interface SendingDevice {
  readonly deviceId: DeviceId;
  readonly organizationId: OrganizationId;
  readonly siteId: SiteId;
}

export const findSendingDevice = async (
  { services }: { readonly services: Pick<BridgeServices, 'storage'> },
  { deviceId, organizationId }: Pick<SendingDevice, 'deviceId' | 'organizationId'>,
): Promise<SendingDevice | null> => {
  const row = await services.storage.reader
    .selectFrom('devices')
    .select('site_id')
    .where('id', '=', deviceId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row === undefined ? null : { deviceId, organizationId, siteId: row.site_id as SiteId };
};

/** Who acted according to a controller, with what proves it. */
export interface ReportedTechnician {
  readonly user_id?: string | null | undefined;
  readonly oauth_application_id?: string | null | undefined;
  readonly pass?: string | null | undefined;
  readonly request_id?: string | null | undefined;
}

/** The fields are null where there was none: a pass may belong to an application. */
export interface ProvenTechnician {
  readonly user_id: string | null;
  readonly oauth_application_id: string | null;
}

export interface ReportedTime {
  readonly at: number;
  /** False: `at` is only a lower bound. */
  readonly isTrusted: boolean;
}

/** Rules on trial are confirmed or end after the session of the technician. */
const AFTER_SESSION_MS = 3_600_000;
/** How long after its request a controller may report what a remote technician or an action did. */
const AFTER_REQUEST_MS = 86_400_000;
/** The clock of a controller may be behind the bridge's. */
const CLOCK_SLACK_MS = 600_000;

/** Whether a trusted clock showed this time while the request was carried out. */
export const isTimeOfRequest = (sentAt: number, { at, isTrusted }: ReportedTime): boolean =>
  !isTrusted || (at > sentAt - CLOCK_SLACK_MS && at < sentAt + AFTER_REQUEST_MS);

const findOrganizationKey = async (
  { storage }: Pick<BridgeServices, 'storage'>,
  organizationId: string,
): Promise<string | null> => {
  const row = await storage.reader
    .selectFrom('organization_keys')
    .select('public_key')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row?.public_key ?? null;
};

const readPass = async (
  services: Pick<BridgeServices, 'storage' | 'deviceVerifiers'>,
  { deviceId, organizationId, siteId }: SendingDevice,
  text: string,
  { at, isTrusted }: ReportedTime,
): Promise<ProvenTechnician | null> => {
  const key = await findOrganizationKey(services, organizationId);
  if (key === null) return null;
  const place = { organization_id: organizationId, site_id: siteId, device_id: deviceId };
  const verifier = services.deviceVerifiers.of(key);
  const pass = readVerifiedTechnicianPass(
    text,
    { ...place, now: at - AFTER_SESSION_MS, time_trusted: isTrusted },
    (bytes, signature) => verifier.verify(bytes, signature),
  );
  return pass.ok ? { user_id: pass.value.user_id, oauth_application_id: null } : null;
};

/**
 * The technician whom the message proves: by the pass, which the organization signed for this controller, or by the request
 * that a bridge sent to it. Null without a valid proof.
 */
export const proveTechnician = async (
  services: Pick<BridgeServices, 'storage' | 'deviceVerifiers' | 'masterKeys'>,
  device: SendingDevice,
  { user_id = null, oauth_application_id = null, pass, request_id }: ReportedTechnician,
  time: ReportedTime,
): Promise<ProvenTechnician | null> => {
  if (pass != null) {
    const proven = await readPass(services, device, pass, time);
    return proven?.user_id === user_id && oauth_application_id === null ? proven : null;
  }
  if (request_id == null) return null;
  const subject = { user_id, oauth_application_id };
  const request = { deviceId: device.deviceId, action: null, subject };
  const sentAt = findRequestTime(services.masterKeys, request_id, request);
  return sentAt !== null && isTimeOfRequest(sentAt, time) ? subject : null;
};
