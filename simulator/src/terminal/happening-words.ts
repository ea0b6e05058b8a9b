import type { LiveHappening, TechnicianEvent } from '@lintel/wire-protocol/technician/live';

type NameOf = (gadgetId: string) => string;

const reasons: Readonly<Record<string, string>> = {
  unknown_credential: 'nobody has this PIN or card here',
  no_input_rule: 'no input rule leads from here to a door',
  locked_out: 'too many wrong entries',
  no_matching_rule: 'the member has no rule for this',
  time_untrusted: 'the time is not certain, and the permission has a time limit',
};

const reasonInWords = (reason: string): string => reasons[reason] ?? reason.replaceAll('_', ' ');

const target = ({ gadget_id, gadget_action_id }: TechnicianEvent, nameOf: NameOf): string =>
  [gadget_action_id, gadget_id == null ? null : nameOf(gadget_id)].filter(part => part != null).join(' ');

/** A decision with its reason; null for any other event. */
export const decisionInWords = (event: TechnicianEvent, nameOf: NameOf): string | null => {
  const { kind, reason, subject } = event;
  const by = subject?.access_method == null ? '' : ` by ${subject.access_method.replace('_', ' ')}`;
  if (kind === 'use') return `GRANTED  ${target(event, nameOf)}${by}`;
  if (kind !== 'deny') return null;
  const of = target(event, nameOf);
  return `DENIED  ${of === '' ? '' : `${of}${by}: `}${reasonInWords(reason ?? 'unknown')} (${reason ?? 'no reason'})`;
};

export const eventInWords = (event: TechnicianEvent, nameOf: NameOf): string => {
  const decision = decisionInWords(event, nameOf);
  if (decision !== null) return decision;
  const { kind, gadget_id, gadget_state_id, gadget_signal_id, fault } = event;
  const name = gadget_id == null ? '' : nameOf(gadget_id);
  if (kind === 'state') return `${name} is ${gadget_state_id}`;
  if (kind === 'signal') return `${name} signals ${gadget_signal_id}`;
  return kind === 'fault' ? `fault: ${fault}` : kind.replaceAll('_', ' ');
};

/** Null for what goes without saying: each key, and the lights that blink with it. */
export const happeningInWords = (happening: LiveHappening, nameOf: NameOf): string | null => {
  switch (happening.type) {
    case 'card':
      return `card ${happening.card} at ${happening.station}`;
    case 'input':
      return `input ${happening.input} is ${happening.level}`;
    case 'event':
      return eventInWords(happening.event, nameOf);
    default:
      return null;
  }
};
