import type { Entry, Key } from '@lintel/access-core/key-entry-model';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { CardUid } from '@lintel/wire-protocol/rest/card';
import type { LiveHappening } from '@lintel/wire-protocol/technician/live';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import type { LineLevel } from '@lintel/drivers/ports/input-lines';
import type { OutputLines } from '@lintel/drivers/ports/output-lines';
import type { FeedbackKind } from '@lintel/drivers/ports/feedback';
import type { AccessDecision } from '../access/access-checker.ts';
import type { LocalRules } from '../input-rules/local-rules.ts';

type Listener = (happening: LiveHappening) => void;

const HIDDEN = '•';
const SHOWN_OF_CARD = 2;

/** No digit is ever shown, not even one that belongs to a code: who forgot the code types a PIN there. */
const maskedKey = (key: Key): '•' | '*' | '#' => (key === '*' || key === '#' ? key : HIDDEN);

export const maskedCard = (uid: CardUid): string =>
  HIDDEN.repeat(Math.max(0, uid.length - SHOWN_OF_CARD)) + uid.slice(-SHOWN_OF_CARD);

const entryOf = (entry: Entry): Pick<Extract<LiveHappening, { type: 'entry' }>, 'phase' | 'rule'> => {
  if (entry.phase !== 'armed' || entry.destination.kind !== 'rule') return { phase: entry.phase, rule: null };
  const { gadget_id, action_id } = entry.destination.rule;
  return { phase: entry.phase, rule: { gadget_id, action_id } };
};

/** What happens at the door as it happens, for whoever looks. Costs nothing while nobody does. */
export class LiveFeed {
  readonly #listeners = new Set<Listener>();
  readonly #entries = new Map<string, string>();

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #tell(happening: LiveHappening): void {
    for (const listener of this.#listeners) {
      try {
        listener(happening);
      } catch {
        // Whoever looks on must not be able to disturb the door.
        this.#listeners.delete(listener);
      }
    }
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  key(station: string, key: Key): void {
    if (this.isWatched) this.#tell({ type: 'key', station, key: maskedKey(key) });
  }

  card(station: string, uid: CardUid): void {
    if (this.isWatched) this.#tell({ type: 'card', station, card: maskedCard(uid) });
  }

  /** What has been typed has come to this; told when it is something else than before. */
  entry(station: string, entry: Entry): void {
    if (!this.isWatched) return;
    const told = entryOf(entry);
    const form = JSON.stringify(told);
    if ((this.#entries.get(station) ?? '{"phase":"idle","rule":null}') === form) return;
    this.#entries.set(station, form);
    this.#tell({ type: 'entry', station, ...told });
  }

  feedback(station: string, kind: FeedbackKind): void {
    if (this.isWatched) this.#tell({ type: 'feedback', station, kind });
  }

  awaitingCard(station: string | null): void {
    if (this.isWatched) this.#tell({ type: 'awaiting_card', station });
  }

  /** A technician has tried a credential. */
  tried(decision: AccessDecision): void {
    if (!this.isWatched) return;
    const { granted, target, subject } = decision;
    const rule = target === null ? null : { gadget_id: target.gadget_id, action_id: target.action_id };
    const reason = decision.granted ? null : decision.reason;
    this.#tell({ type: 'try', rule, access_method: subject.access_method ?? '', granted, reason });
  }

  rules({ base, provisional, isPending }: Pick<LocalRules, 'base' | 'provisional' | 'isPending'>): void {
    if (this.isWatched) this.#tell({ type: 'rules', base, provisional: provisional !== null, pending: isPending });
  }

  input(input: string, level: LineLevel): void {
    if (this.isWatched) this.#tell({ type: 'input', input, level });
  }

  event(event: DeviceEvent): void {
    if (!this.isWatched) return;
    this.#tell({ type: 'event', event: { ...event, occurred_at: dateTimeOf(event.occurred_at) } });
  }

  /** The same lines, seen. What the board refuses is not told. */
  watching(outputs: OutputLines): OutputLines {
    return {
      energize: (output, pulse_ms) => {
        outputs.energize(output, pulse_ms);
        if (this.isWatched) this.#tell({ type: 'output', output, on: true, pulse_ms });
      },
      release: output => {
        outputs.release(output);
        if (this.isWatched) this.#tell({ type: 'output', output, on: false, pulse_ms: null });
      },
      faultOf: output => outputs.faultOf(output),
      onFault: listener => outputs.onFault(listener),
    };
  }
}
