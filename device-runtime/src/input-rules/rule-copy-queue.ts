import type { DeviceId } from '@lintel/access-core/ids';
import type { RulesCopiedMessage } from '@lintel/wire-protocol/mqtt/messages/rules-copied';
import type { RulesCopyMessage } from '@lintel/wire-protocol/mqtt/messages/rules-copy';
import type { ControllerStateStore } from '../state/controller-state-store.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { EventLog } from '../events/event-log.ts';
import type { LocalRules } from './local-rules.ts';
import {
  applyRuleCopyResponse,
  addRuleCopy,
  markRuleCopySent,
  type RuleCopyReport,
  listRuleCopyReports,
  emptyRuleCopyState,
  type RuleCopyState,
  ruleCopyStateSchema,
} from './rule-copy-state.ts';
import { describeTechnicianAction, toTechnicianSubject, type Technician } from '../events/technician-record.ts';

interface RuleCopyQueueDependencies {
  readonly rules: Pick<LocalRules, 'current' | 'knownRevision'>;
  readonly state: ControllerStateStore;
  readonly wall: WallClock;
  readonly log: EventLog;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly onChange: () => void;
}

const ID_BYTES = 16;
/** Each contains all rules. */
const MOST_WAITING = 32;

/** Copies of the rules for other controllers of the site. The bridge applies them when this controller is online. */
export class RuleCopyQueue {
  readonly #parts: RuleCopyQueueDependencies;
  #state: RuleCopyState;
  #onPending: () => void = () => undefined;

  constructor(parts: RuleCopyQueueDependencies) {
    this.#parts = parts;
    const saved = ruleCopyStateSchema.safeParse(parts.state.read('rule_copies'));
    this.#state = saved.success ? saved.data : emptyRuleCopyState;
  }

  #update(state: RuleCopyState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#parts.state.write('rule_copies', state);
    this.#parts.onChange();
  }

  /** False when too many are waiting. */
  request(to: readonly DeviceId[], own_gadgets: RulesCopyMessage['own_gadgets'], by: Technician): boolean {
    const { rules, wall, log, randomBytes } = this.#parts;
    const revisions = [rules.knownRevision, this.#state.revision].filter(revision => revision !== null);
    const { pass_id, user_id } = by;
    const ask = {
      v: 1 as const,
      copy_id: Buffer.from(randomBytes(ID_BYTES)).toString('base64url'),
      base_revision: revisions.length === 0 ? null : Math.max(...revisions),
      asked_at: wall.now(),
      pass_id,
      user_id,
      own_gadgets,
      input_rules: rules.current,
      to: [...to],
    } satisfies RulesCopyMessage;
    const state = addRuleCopy(this.#state, ask);
    if (state.asks.length > MOST_WAITING) return false;
    this.#update(state);
    const where = to.length === 1 ? to[0] : `${to.length} devices`;
    const what = `${ask.input_rules.length} rules to ${where}`;
    log.record({ kind: 'rules_copied', subject: toTechnicianSubject(by), detail: describeTechnicianAction(what, by) });
    this.#onPending();
    return true;
  }

  get reports(): readonly RuleCopyReport[] {
    return listRuleCopyReports(this.#state);
  }

  /** The copy to upload, until its response. */
  pending(): RulesCopyMessage | null {
    this.#update(markRuleCopySent(this.#state));
    return this.#state.asks[0] ?? null;
  }

  onPending(listener: () => void): void {
    this.#onPending = listener;
  }

  acknowledged(response: RulesCopiedMessage): void {
    this.#update(applyRuleCopyResponse(this.#state, response));
    if (this.#state.asks.length > 0) this.#onPending();
  }

  /** For a new owner. */
  discard(): void {
    this.#update(emptyRuleCopyState);
  }
}
