import type { TechnicianLiveMessage, TechnicianEventResponse } from '@lintel/wire-protocol/technician/live-message';

type NameOf = (gadgetId: string) => string;

const reasons: Readonly<Record<string, string>> = {
  unknown_credential: 'unknown PIN or card',
  no_input_rule: 'no input rule selects a door',
  locked_out: 'too many wrong entries',
  no_matching_rule: 'the member has no permission for this action',
  time_untrusted: 'the permission has a time limit, and the clock is not trusted',
};

const describeReason = (reason: string): string => reasons[reason] ?? reason.replaceAll('_', ' ');

const target = ({ gadget_id, gadget_action_id }: TechnicianEventResponse, nameOf: NameOf): string =>
  [gadget_action_id, gadget_id == null ? null : nameOf(gadget_id)].filter(part => part != null).join(' ');

/** Formats a decision with its reason. Null for any other event. */
export const formatTerminalDecision = (event: TechnicianEventResponse, nameOf: NameOf): string | null => {
  const { kind, reason, subject } = event;
  const by = subject?.access_method == null ? '' : ` by ${subject.access_method.replace('_', ' ')}`;
  if (kind === 'use') return `GRANTED  ${target(event, nameOf)}${by}`;
  if (kind !== 'deny') return null;
  const action = target(event, nameOf);
  return `DENIED  ${action === '' ? '' : `${action}${by}: `}${describeReason(reason ?? 'unknown')} (${reason ?? 'no reason'})`;
};

export const formatTerminalEvent = (event: TechnicianEventResponse, nameOf: NameOf): string => {
  const decision = formatTerminalDecision(event, nameOf);
  if (decision !== null) return decision;
  const { kind, gadget_id, gadget_state_id, gadget_signal_id, fault } = event;
  const name = gadget_id == null ? '' : nameOf(gadget_id);
  if (kind === 'state') return `${name} is ${gadget_state_id}`;
  if (kind === 'signal') return `${name} signals ${gadget_signal_id}`;
  return kind === 'fault' ? `fault: ${fault}` : kind.replaceAll('_', ' ');
};

/** Formats a live message. Null for keys and indicator lights. */
export const formatTerminalLiveMessage = (entry: TechnicianLiveMessage, nameOf: NameOf): string | null => {
  switch (entry.type) {
    case 'card':
      return `card ${entry.card} at ${entry.station}`;
    case 'input':
      return `input ${entry.input} is ${entry.level}`;
    case 'event':
      return formatTerminalEvent(entry.event, nameOf);
    default:
      return null;
  }
};
