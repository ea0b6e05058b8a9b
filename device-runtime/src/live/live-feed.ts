import type { PendingKeyEntry, KeypadKey } from '@lintel/access-core/key-entry-types';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { withoutProofs } from '../events/acting-technician.ts';
import type { CardUid } from '@lintel/wire-protocol/rest/card-uid';
import type { TechnicianLiveMessage } from '@lintel/wire-protocol/technician/live-message';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { InputLineState, OutputLines, FeedbackKind } from '@lintel/drivers/interfaces';
import type { AccessDecision } from '../access/access-checker.ts';
import type { LocalInputRules } from '../input-rules/local-rules.ts';

type Listener = (message: TechnicianLiveMessage) => void;

const HIDDEN = '•';
const SHOWN_OF_CARD = 2;

/** Hides every digit: a PIN may be typed in place of a code. */
const maskKey = (key: KeypadKey): '•' | '*' | '#' => (key === '*' || key === '#' ? key : HIDDEN);

export const maskCardUid = (uid: CardUid): string =>
  HIDDEN.repeat(Math.max(0, uid.length - SHOWN_OF_CARD)) + uid.slice(-SHOWN_OF_CARD);

const entryOf = (entry: PendingKeyEntry): Pick<Extract<TechnicianLiveMessage, { type: 'entry' }>, 'phase' | 'rule'> => {
  if (entry.phase !== 'armed' || entry.destination.kind !== 'rule') return { phase: entry.phase, rule: null };
  const { gadget_id, action_id } = entry.destination.rule;
  return { phase: entry.phase, rule: { gadget_id, action_id } };
};

/** Publishes what happens at the door to live viewers. Costs nothing without viewers. */
export class LiveFeed {
  readonly #listeners = new Set<Listener>();
  readonly #entries = new Map<string, string>();

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #publish(message: TechnicianLiveMessage): void {
    for (const listener of this.#listeners) {
      try {
        listener(message);
      } catch {
        // A failing viewer must not disturb the door.
        this.#listeners.delete(listener);
      }
    }
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  key(station: string, key: KeypadKey): void {
    if (this.hasListeners) this.#publish({ type: 'key', station, key: maskKey(key) });
  }

  card(station: string, uid: CardUid): void {
    if (this.hasListeners) this.#publish({ type: 'card', station, card: maskCardUid(uid) });
  }

  /** The state of a PIN entry. Published when it changes. */
  entry(station: string, entry: PendingKeyEntry): void {
    if (!this.hasListeners) return;
    const state = entryOf(entry);
    const text = JSON.stringify(state);
    if ((this.#entries.get(station) ?? '{"phase":"idle","rule":null}') === text) return;
    this.#entries.set(station, text);
    this.#publish({ type: 'entry', station, ...state });
  }

  feedback(station: string, kind: FeedbackKind): void {
    if (this.hasListeners) this.#publish({ type: 'feedback', station, kind });
  }

  awaitingCard(station: string | null): void {
    if (this.hasListeners) this.#publish({ type: 'awaiting_card', station });
  }

  /** A technician tested a credential. */
  credentialTested(decision: AccessDecision): void {
    if (!this.hasListeners) return;
    const { granted, target, subject } = decision;
    const rule = target === null ? null : { gadget_id: target.gadget_id, action_id: target.action_id };
    const reason = decision.granted ? null : decision.reason;
    this.#publish({ type: 'try', rule, access_method: subject.access_method ?? '', granted, reason });
  }

  rules({ base, provisional, isPending }: Pick<LocalInputRules, 'base' | 'provisional' | 'isPending'>): void {
    if (this.hasListeners)
      this.#publish({ type: 'rules', base, provisional: provisional !== null, pending: isPending });
  }

  input(input: string, level: InputLineState): void {
    if (this.hasListeners) this.#publish({ type: 'input', input, level });
  }

  event(event: DeviceEvent): void {
    if (!this.hasListeners) return;
    this.#publish({ type: 'event', event: { ...withoutProofs(event), occurred_at: toDateTime(event.occurred_at) } });
  }

  /** The same outputs, with each successful command published. */
  observeOutputs(outputs: OutputLines): OutputLines {
    return {
      energize: (output, pulse_ms) => {
        outputs.energize(output, pulse_ms);
        if (this.hasListeners) this.#publish({ type: 'output', output, on: true, pulse_ms });
      },
      release: output => {
        outputs.release(output);
        if (this.hasListeners) this.#publish({ type: 'output', output, on: false, pulse_ms: null });
      },
      faultOf: output => outputs.faultOf(output),
      onFault: listener => outputs.onFault(listener),
    };
  }
}
