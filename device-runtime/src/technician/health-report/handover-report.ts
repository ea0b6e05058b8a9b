import { X509Certificate } from 'node:crypto';
import type { InputRule } from '@lintel/access-core/input-rules';
import { buildWiringGroups } from '@lintel/hardware-profiles/wiring-groups';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { HandoverReportResponse } from '@lintel/wire-protocol/technician/handover-report';
import { toTechnicianIdentity, type ActingTechnician } from '../../events/acting-technician.ts';
import { checkCurrentHealth } from './check-current-health.ts';
import { buildTechnicianStatus } from './controller-status-for-technicians.ts';
import type { ClaimedControllerDetails, TechnicianApiDependencies } from '../technician-api-dependencies.ts';

type ReportedRule = HandoverReportResponse['rules'][number];

const wiringOf = ({ profile }: TechnicianApiDependencies): HandoverReportResponse['wiring'] =>
  profile === null
    ? []
    : buildWiringGroups(profile).map(({ title, board, rows }) => ({
        title,
        board,
        wires: rows.map(row => ({ ...row })),
      }));

const describeRule = (
  { controller: { snapshot } }: TechnicianApiDependencies,
  { code, gadget_id, action_id }: Pick<InputRule, 'code' | 'gadget_id' | 'action_id'>,
): ReportedRule => {
  const gadget = snapshot.gadget(gadget_id);
  return {
    code,
    gadget_id,
    gadget_name: gadget?.name ?? null,
    action_id,
    action_name: gadget?.actions.find(({ id }) => id === action_id)?.name ?? null,
    is_own: snapshot.isOwn(gadget_id),
  };
};

/** Without rules a credential triggers the first action of the first gadget. */
const defaultRule = (parts: TechnicianApiDependencies): ReportedRule | null => {
  const [gadget] = parts.controller.technician.gadgets;
  const [action] = gadget?.actions ?? [];
  if (gadget === undefined || action === undefined) return null;
  return describeRule(parts, { code: '', gadget_id: gadget.id, action_id: action.id });
};

const fingerprintOf = ({ certificate }: ClaimedControllerDetails): string | null => {
  try {
    return new X509Certificate(certificate).fingerprint256;
  } catch {
    return null;
  }
};

const certificatesOf = (parts: TechnicianApiDependencies): HandoverReportResponse['certificates'] => {
  const owner = parts.owner();
  return {
    technician: parts.certificate.fingerprint,
    device_serial: owner?.serial ?? null,
    device_fingerprint: owner === null ? null : fingerprintOf(owner),
    device_expires_at: owner === null ? null : toDateTime(owner.expires_at),
  };
};

/** The report for the handover to the customer. */
export const buildHandoverReport = (parts: TechnicianApiDependencies, by: ActingTechnician): HandoverReportResponse => {
  const { controller, profile } = parts;
  const { technician, snapshot } = controller;
  const status = buildTechnicianStatus(parts);
  const inForce = technician.rules.current;
  return {
    made_at: toDateTime(parts.wall.now()),
    by: toTechnicianIdentity(by),
    device: { id: status.device_id, name: snapshot.deviceName },
    // Only the bridge knows the name.
    organization: { id: status.organization_id, name: null },
    site: { id: status.site_id, name: snapshot.siteName },
    product: { id: parts.productId, name: profile?.name ?? null, revision: profile?.revision ?? null },
    wiring: wiringOf(parts),
    rules: inForce.map(rule => describeRule(parts, rule)),
    without_rules: inForce.length === 0 ? defaultRule(parts) : null,
    rules_pending: technician.rules.isPending,
    tests: [...parts.testLog.list()],
    health: checkCurrentHealth(parts),
    certificates: certificatesOf(parts),
    last_sync: controller.lastContact === null ? null : toDateTime(controller.lastContact),
    status,
  };
};
