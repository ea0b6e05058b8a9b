import type { LiveMessage } from '@lintel/wire-protocol/technician/live';
import type { StatusLevel } from '../components/status-icon.tsx';
import * as liveMessages from '../messages/english/live.ts';
import type { GadgetNames } from '../state/gadget-names.ts';

type LiveEventGroup = 'decisions' | 'io' | 'others';

export interface LiveEventView {
  readonly group: LiveEventGroup;
  readonly level: StatusLevel;
  readonly title: string;
  readonly details: string | null;
}

type Event = Extract<LiveMessage, { type: 'event' }>['event'];

const viewOf = (
  title: string,
  group: LiveEventGroup = 'others',
  level: StatusLevel = 'neutral',
  details: string | null = null,
): LiveEventView => ({ group, level, title, details });

export const describeAction = (
  names: GadgetNames,
  gadget_id: string | null | undefined,
  action_id: string | null | undefined,
): string => {
  if (gadget_id == null) return liveMessages.firstGadget;
  const gadget = names.gadget(gadget_id) ?? liveMessages.unknownGadget;
  return action_id == null ? gadget : liveMessages.action(gadget, names.action(gadget_id, action_id));
};

const describeMethod = ({ subject }: Event): string | null => {
  if (subject == null) return null;
  const method = 'access_method' in subject ? subject.access_method : null;
  if (typeof method === 'string') return liveMessages.method[method] ?? method;
  return 'user_id' in subject && subject.user_id != null ? (liveMessages.method['technician'] ?? null) : null;
};

const describeReason = (reason: string | null | undefined): string | null =>
  reason == null ? null : liveMessages.reason(reason);

const join = (...parts: readonly (string | null | undefined)[]): string | null =>
  parts.filter(part => part != null && part !== '').join(' · ') || null;

const describeEvent = (event: Event, names: GadgetNames): LiveEventView => {
  const { kind, gadget_id, reason, detail, fault } = event;
  const action = describeAction(names, gadget_id, event.gadget_action_id);
  const gadget = describeAction(names, gadget_id, null);
  switch (kind) {
    case 'use':
      return viewOf(liveMessages.granted(action), 'decisions', 'ok', join(describeMethod(event), detail));
    case 'deny': {
      const details = join(describeReason(reason), describeMethod(event), detail);
      return viewOf(liveMessages.denied(action), 'decisions', 'error', details);
    }
    case 'state':
      return viewOf(liveMessages.state(gadget, event.gadget_state_id ?? '?'), 'io');
    case 'signal':
      return viewOf(liveMessages.signal(gadget, event.gadget_signal_id ?? '?'), 'io', 'warning');
    case 'fault': {
      const details = fault == null ? null : (detail ?? null);
      return viewOf(liveMessages.fault(fault ?? detail ?? '?'), 'others', 'error', details);
    }
    case 'gap':
      return viewOf(liveMessages.gap, 'others', 'warning');
    default:
      return viewOf(liveMessages.other(kind), 'others', 'neutral', join(describeReason(reason), detail));
  }
};

export const describeLiveEvent = (live: LiveMessage, names: GadgetNames): LiveEventView => {
  switch (live.type) {
    case 'key':
      return viewOf(liveMessages.key(live.station, live.key));
    case 'card':
      return viewOf(liveMessages.card(live.station, live.card));
    case 'entry': {
      if (live.phase === 'idle') return viewOf(liveMessages.idle(live.station));
      if (live.phase === 'code') return viewOf(liveMessages.code(live.station));
      const action = describeAction(names, live.rule?.gadget_id, live.rule?.action_id);
      return viewOf(liveMessages.selected(live.station, action));
    }
    case 'feedback':
      return viewOf(liveMessages.feedback(live.station, live.kind));
    case 'input':
      return viewOf(liveMessages.input(live.input, live.level), 'io');
    case 'output':
      return viewOf(
        live.on ? liveMessages.outputOn(live.output, live.pulse_ms) : liveMessages.outputOff(live.output),
        'io',
      );
    case 'awaiting_card':
      return viewOf(liveMessages.awaitingCard(live.station));
    case 'try': {
      const action = describeAction(names, live.rule?.gadget_id, live.rule?.action_id);
      const details = join(describeReason(live.reason), liveMessages.method[live.access_method]);
      return viewOf(liveMessages.checked(action, live.granted), 'decisions', live.granted ? 'ok' : 'warning', details);
    }
    case 'rules':
      return viewOf(live.provisional ? liveMessages.rulesTrial : liveMessages.rules, 'decisions');
    case 'event':
      return describeEvent(live.event, names);
    default:
      // A newer controller may send types that this page does not know.
      return viewOf((live as { readonly type: string }).type);
  }
};
