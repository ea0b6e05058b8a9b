import type { TechnicianLiveMessage } from '@lintel/wire-protocol/technician/live-message';
import type { StatusLevel } from '../../components/status-icon.tsx';
import * as liveMessages from '../messages/english/live-log.ts';
import type { GadgetAndActionNames } from '../../components/input-rules-editor/gadget-and-action-names.ts';

type LiveEventGroup = 'decisions' | 'io' | 'others';

export interface LiveMessageDescription {
  readonly group: LiveEventGroup;
  readonly level: StatusLevel;
  readonly title: string;
  readonly details: string | null;
  /** Whose credential it was. The controller has no names of members. */
  readonly memberId: string | null;
}

type Event = Extract<TechnicianLiveMessage, { type: 'event' }>['event'];

const viewOf = (
  title: string,
  group: LiveEventGroup = 'others',
  level: StatusLevel = 'neutral',
  details: string | null = null,
  memberId: string | null = null,
): LiveMessageDescription => ({ group, level, title, details, memberId });

export const describeGadgetAction = (
  names: GadgetAndActionNames,
  gadget_id: string | null | undefined,
  action_id: string | null | undefined,
): string => {
  if (gadget_id == null) return liveMessages.firstGadgetNameText;
  const gadget = names.gadget(gadget_id) ?? liveMessages.unknownGadgetNameText;
  return action_id == null ? gadget : liveMessages.gadgetActionText(gadget, names.action(gadget_id, action_id));
};

const describeMethod = ({ subject }: Event): string | null => {
  if (subject == null) return null;
  const method = 'access_method' in subject ? subject.access_method : null;
  if (typeof method === 'string') return liveMessages.accessMethodNames[method] ?? method;
  return 'user_id' in subject && subject.user_id != null
    ? (liveMessages.accessMethodNames['technician'] ?? null)
    : null;
};

const describeReason = (reason: string | null | undefined): string | null =>
  reason == null ? null : liveMessages.denialReasonText(reason);

const join = (...parts: readonly (string | null | undefined)[]): string | null =>
  parts.filter(part => part != null && part !== '').join(' · ') || null;

/** Passes are shown without their ids. */
const describeDetail = (detail: string | null | undefined): string | null =>
  detail?.replaceAll(/pass pass_\w+/g, 'pass') ?? null;

const describeEvent = (event: Event, names: GadgetAndActionNames): LiveMessageDescription => {
  const { kind, gadget_id, reason, fault } = event;
  const detail = describeDetail(event.detail);
  const memberId = event.subject != null && 'member_id' in event.subject ? (event.subject.member_id ?? null) : null;
  const action = describeGadgetAction(names, gadget_id, event.gadget_action_id);
  const gadget = describeGadgetAction(names, gadget_id, null);
  switch (kind) {
    case 'use':
      return viewOf(
        liveMessages.accessGrantedText(action),
        'decisions',
        'ok',
        join(describeMethod(event), detail),
        memberId,
      );
    case 'deny': {
      const details = join(describeReason(reason), describeMethod(event), detail);
      return viewOf(liveMessages.accessDeniedText(action), 'decisions', 'error', details, memberId);
    }
    case 'state':
      return viewOf(liveMessages.gadgetStateText(gadget, event.gadget_state_id ?? '?'), 'io');
    case 'signal':
      return viewOf(liveMessages.gadgetSignalText(gadget, event.gadget_signal_id ?? '?'), 'io', 'warning');
    case 'fault': {
      const details = fault == null ? null : (detail ?? null);
      return viewOf(liveMessages.faultReportedText(fault ?? detail ?? '?'), 'others', 'error', details);
    }
    case 'gap':
      return viewOf(liveMessages.eventsWereLostText, 'others', 'warning');
    default:
      return viewOf(liveMessages.otherEventText(kind), 'others', 'neutral', join(describeReason(reason), detail));
  }
};

export const describeLiveMessage = (
  live: TechnicianLiveMessage,
  names: GadgetAndActionNames,
): LiveMessageDescription => {
  switch (live.type) {
    case 'key':
      return viewOf(liveMessages.keyPressedText(live.station, live.key));
    case 'card':
      return viewOf(liveMessages.cardPresentedText(live.station, live.card));
    case 'entry': {
      if (live.phase === 'idle') return viewOf(liveMessages.readerUnitIdleText(live.station));
      if (live.phase === 'code') return viewOf(liveMessages.enteringCodeText(live.station));
      const action = describeGadgetAction(names, live.rule?.gadget_id, live.rule?.action_id);
      return viewOf(liveMessages.inputRuleSelectedAtStationText(live.station, action));
    }
    case 'feedback':
      return viewOf(liveMessages.feedbackSignaledText(live.station, live.kind));
    case 'input':
      return viewOf(liveMessages.inputChangedText(live.input, live.level), 'io');
    case 'output':
      return viewOf(
        live.on
          ? liveMessages.outputSwitchedOnText(live.output, live.pulse_ms)
          : liveMessages.outputSwitchedOffText(live.output),
        'io',
      );
    case 'awaiting_card':
      return viewOf(liveMessages.technicianAwaitsCardText(live.station));
    case 'try': {
      const action = describeGadgetAction(names, live.rule?.gadget_id, live.rule?.action_id);
      const details = join(describeReason(live.reason), liveMessages.accessMethodNames[live.access_method]);
      return viewOf(
        liveMessages.credentialCheckResultText(action, live.granted),
        'decisions',
        live.granted ? 'ok' : 'warning',
        details,
      );
    }
    case 'rules':
      return viewOf(live.provisional ? liveMessages.inputRulesChangedOnTrialText : liveMessages.inputRulesChangedText);
    case 'event':
      return describeEvent(live.event, names);
    default:
      // A newer controller may send types that this page does not know.
      return viewOf((live as { readonly type: string }).type);
  }
};
