import type { TechnicianLiveMessage } from '@lintel/wire-protocol/technician/live-message';

/** The id of the rule test that a use of the commissioning credential belongs to; null for any other event. */
export const buildInputRuleTestId = (liveEvent: TechnicianLiveMessage): string | null => {
  if (liveEvent.type !== 'event') return null;
  const { kind, gadget_id, gadget_action_id, detail } = liveEvent.event;
  if (kind !== 'use' || gadget_id == null || gadget_action_id == null) return null;
  return detail?.startsWith('commissioning') === true ? `rule:${gadget_id}:${gadget_action_id}` : null;
};
