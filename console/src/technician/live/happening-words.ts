import type { LiveHappening } from '@lintel/wire-protocol/technician/live';
import type { Names } from '../frame/names.ts';
import type { Mood } from '../frame/state-mark.tsx';
import * as liveWords from '../words/english/live-words.ts';

type HappeningGroup = 'decisions' | 'lines' | 'others';

export interface HappeningInWords {
  readonly group: HappeningGroup;
  readonly mood: Mood;
  readonly title: string;
  readonly more: string | null;
}

type Event = Extract<LiveHappening, { type: 'event' }>['event'];

const told = (title: string, group: HappeningGroup = 'others', mood: Mood = 'quiet', more: string | null = null) => ({
  group,
  mood,
  title,
  more,
});

export const deedWords = (
  names: Names,
  gadget_id: string | null | undefined,
  action_id: string | null | undefined,
): string => {
  if (gadget_id == null) return liveWords.firstGadget;
  const gadget = names.gadget(gadget_id) ?? liveWords.unknownGadget;
  return action_id == null ? gadget : liveWords.deed(gadget, names.action(gadget_id, action_id));
};

const wayOf = ({ subject }: Event): string | null => {
  if (subject == null) return null;
  const method = 'access_method' in subject ? subject.access_method : null;
  if (typeof method === 'string') return liveWords.by[method] ?? method;
  return 'user_id' in subject && subject.user_id != null ? (liveWords.by['technician'] ?? null) : null;
};

const joined = (...parts: readonly (string | null | undefined)[]): string | null =>
  parts.filter(part => part != null && part !== '').join(' · ') || null;

const eventWords = (event: Event, names: Names): HappeningInWords => {
  const { kind, gadget_id, reason, detail } = event;
  const deed = deedWords(names, gadget_id, event.gadget_action_id);
  const gadget = gadget_id == null ? liveWords.firstGadget : (names.gadget(gadget_id) ?? liveWords.unknownGadget);
  switch (kind) {
    case 'use':
      return told(liveWords.granted(deed), 'decisions', 'good', joined(wayOf(event), detail));
    case 'deny':
      return told(
        liveWords.denied(deed),
        'decisions',
        'wrong',
        joined(reason == null ? null : liveWords.because(reason), wayOf(event), detail),
      );
    case 'state':
      return told(liveWords.state(gadget, event.gadget_state_id ?? '?'), 'lines');
    case 'signal':
      return told(liveWords.signal(gadget, event.gadget_signal_id ?? '?'), 'lines', 'look');
    case 'fault':
      return told(
        liveWords.fault(event.fault ?? detail ?? '?'),
        'others',
        'wrong',
        event.fault == null ? null : (detail ?? null),
      );
    case 'gap':
      return told(liveWords.gap, 'others', 'look');
    default:
      return told(
        liveWords.other(kind),
        'others',
        'quiet',
        joined(reason == null ? null : liveWords.because(reason), detail),
      );
  }
};

/** One line that a person reads, and where more is known, a second. */
export const happeningWords = (what: LiveHappening, names: Names): HappeningInWords => {
  switch (what.type) {
    case 'key':
      return told(liveWords.key(what.station, what.key));
    case 'card':
      return told(liveWords.card(what.station, what.card));
    case 'entry':
      if (what.phase === 'idle') return told(liveWords.idle(what.station));
      if (what.phase === 'code') return told(liveWords.code(what.station));
      return told(liveWords.armed(what.station, deedWords(names, what.rule?.gadget_id, what.rule?.action_id)));
    case 'feedback':
      return told(liveWords.feedback(what.station, what.kind));
    case 'input':
      return told(liveWords.input(what.input, what.level), 'lines');
    case 'output':
      return told(what.on ? liveWords.outputOn(what.output, what.pulse_ms) : liveWords.outputOff(what.output), 'lines');
    case 'try':
      return told(
        liveWords.tried(deedWords(names, what.rule?.gadget_id, what.rule?.action_id), what.granted),
        'decisions',
        what.granted ? 'good' : 'look',
        joined(what.reason === null ? null : liveWords.because(what.reason), liveWords.by[what.access_method]),
      );
    case 'rules':
      return told(what.provisional ? liveWords.rulesTrial : liveWords.rules, 'decisions');
    case 'event':
      return eventWords(what.event, names);
    default:
      return told((what as { readonly type: string }).type);
  }
};
