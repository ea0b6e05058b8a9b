import type { DeviceId } from '@lintel/access-core/ids';
import type { RulesCopied } from '@lintel/wire-protocol/mqtt/messages/rules-copied';
import type { RulesCopy } from '@lintel/wire-protocol/mqtt/messages/rules-copy';
import type { StateStore } from '../state/state-store.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { EventLog } from '../events/event-log.ts';
import type { LocalRules } from './local-rules.ts';
import {
  copyAnswered,
  copyAsked,
  copyHanded,
  type CopyReport,
  copyReports,
  noCopies,
  type RuleCopiesState,
  ruleCopiesState,
} from './rule-copies-state.ts';
import { inDetail, subjectOf, type Technician } from '../events/technician-record.ts';

interface RuleCopiesParts {
  readonly rules: Pick<LocalRules, 'inForce' | 'knownRevision'>;
  readonly state: StateStore;
  readonly wall: WallClock;
  readonly log: EventLog;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly changed: () => void;
}

const ID_BYTES = 16;
/** Each holds all the rules. */
const MOST_WAITING = 32;

/** The rules of this controller for others of the site. The bridge writes them there, when there is a line to it. */
export class RuleCopies {
  readonly #parts: RuleCopiesParts;
  #state: RuleCopiesState;
  #tell: () => void = () => undefined;

  constructor(parts: RuleCopiesParts) {
    this.#parts = parts;
    const saved = ruleCopiesState.safeParse(parts.state.read('rule_copies'));
    this.#state = saved.success ? saved.data : noCopies;
  }

  #become(state: RuleCopiesState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#parts.state.write('rule_copies', state);
    this.#parts.changed();
  }

  /** False when too many wait already. */
  ask(to: readonly DeviceId[], own_gadgets: RulesCopy['own_gadgets'], by: Technician): boolean {
    const { rules, wall, log, randomBytes } = this.#parts;
    const revisions = [rules.knownRevision, this.#state.revision].filter(one => one !== null);
    const { pass_id, user_id } = by;
    const ask = {
      v: 1 as const,
      copy_id: Buffer.from(randomBytes(ID_BYTES)).toString('base64url'),
      base_revision: revisions.length === 0 ? null : Math.max(...revisions),
      asked_at: wall.now(),
      pass_id,
      user_id,
      own_gadgets,
      input_rules: rules.inForce,
      to: [...to],
    } satisfies RulesCopy;
    const state = copyAsked(this.#state, ask);
    if (state.asks.length > MOST_WAITING) return false;
    this.#become(state);
    const where = to.length === 1 ? to[0] : `${to.length} devices`;
    const what = `${ask.input_rules.length} rules to ${where}`;
    log.record({ kind: 'rules_copied', subject: subjectOf(by), detail: inDetail(what, by) });
    this.#tell();
    return true;
  }

  get reports(): readonly CopyReport[] {
    return copyReports(this.#state);
  }

  /** What to tell the bridge, until it has answered. */
  pending(): RulesCopy | null {
    this.#become(copyHanded(this.#state));
    return this.#state.asks[0] ?? null;
  }

  onPending(listener: () => void): void {
    this.#tell = listener;
  }

  answered(answer: RulesCopied): void {
    this.#become(copyAnswered(this.#state, answer));
    if (this.#state.asks.length > 0) this.#tell();
  }

  /** Of another organization's devices. */
  forget(): void {
    this.#become(noCopies);
  }
}
