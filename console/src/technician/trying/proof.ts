import type { LiveHappening } from '@lintel/wire-protocol/technician/live';

/** The test that a use of the commissioning credential stands for; null for everything else that happens. */
export const proofOf = (what: LiveHappening): string | null => {
  if (what.type !== 'event') return null;
  const { kind, gadget_id, gadget_action_id, detail } = what.event;
  if (kind !== 'use' || gadget_id == null || gadget_action_id == null) return null;
  return detail?.startsWith('commissioning') === true ? `rule:${gadget_id}:${gadget_action_id}` : null;
};
