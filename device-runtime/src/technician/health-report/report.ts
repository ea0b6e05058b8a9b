import { X509Certificate } from 'node:crypto';
import type { InputRule } from '@lintel/access-core/input-rules';
import { wiringGroups } from '@lintel/hardware-profiles/wiring-rows';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import type { TechnicianReport } from '@lintel/wire-protocol/technician/report';
import type { Technician } from '../../events/technician-record.ts';
import { currentHealth } from './current-health.ts';
import { statusOf } from './status.ts';
import type { OwnerDevice, TechnicianParts } from '../technician-parts.ts';

type RuleInWords = TechnicianReport['rules'][number];

const wiringOf = ({ profile }: TechnicianParts): TechnicianReport['wiring'] =>
  profile === null
    ? []
    : wiringGroups(profile).map(({ title, board, rows }) => ({ title, board, wires: rows.map(row => ({ ...row })) }));

const ruleInWords = (
  { controller: { snapshot } }: TechnicianParts,
  { code, gadget_id, action_id }: Pick<InputRule, 'code' | 'gadget_id' | 'action_id'>,
): RuleInWords => {
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

/** Without any rules a credential does the first action of the first gadget. */
const withoutRules = (parts: TechnicianParts): RuleInWords | null => {
  const [gadget] = parts.controller.technician.gadgets;
  const [action] = gadget?.actions ?? [];
  if (gadget === undefined || action === undefined) return null;
  return ruleInWords(parts, { code: '', gadget_id: gadget.id, action_id: action.id });
};

const fingerprintOf = ({ certificate }: OwnerDevice): string | null => {
  try {
    return new X509Certificate(certificate).fingerprint256;
  } catch {
    return null;
  }
};

const certificatesOf = (parts: TechnicianParts): TechnicianReport['certificates'] => {
  const own = parts.owner();
  return {
    technician: parts.certificate.fingerprint,
    device_serial: own?.serial ?? null,
    device_fingerprint: own === null ? null : fingerprintOf(own),
    device_expires_at: own === null ? null : dateTimeOf(own.expires_at),
  };
};

/** What is handed over when the work is done. */
export const reportOf = (parts: TechnicianParts, { user_id, pass_id }: Technician): TechnicianReport => {
  const { controller, profile } = parts;
  const { technician, snapshot } = controller;
  const status = statusOf(parts);
  const inForce = technician.rules.inForce;
  return {
    made_at: dateTimeOf(parts.wall.now()),
    by: { user_id, pass_id },
    device: { id: status.device_id, name: snapshot.deviceName },
    // What the organization is called is the bridge's to know.
    organization: { id: status.organization_id, name: null },
    site: { id: status.site_id, name: snapshot.siteName },
    product: { id: parts.productId, name: profile?.name ?? null, revision: profile?.revision ?? null },
    wiring: wiringOf(parts),
    rules: inForce.map(rule => ruleInWords(parts, rule)),
    without_rules: inForce.length === 0 ? withoutRules(parts) : null,
    rules_pending: technician.rules.isPending,
    tests: [...parts.tests.list()],
    health: currentHealth(parts),
    certificates: certificatesOf(parts),
    last_sync: controller.lastContact === null ? null : dateTimeOf(controller.lastContact),
    status,
  };
};
