import type { InputRule } from '@lintel/access-core/input-rules';
import { compileInputRules, type CompiledInputRules, destinationOf } from '@lintel/access-core/input-rules-compiled';
import type { LockoutTimes } from '@lintel/access-core/lockout';
import type { PinDigits } from '@lintel/access-core/pin-digits';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { StateStore } from '../state/state-store.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Judge, Judgement } from '../access/access-checker.ts';
import { KeptLockout } from '../access/persisted-lockout.ts';
import type { LiveFeed } from '../live/live-feed.ts';
import type { Tap } from '../credentials/tap.ts';
import { inDetail, subjectOf, type Technician } from '../events/technician-record.ts';

/** `judgement` is null where no rule has this code: then nobody has looked at the credential. */
export interface Trial {
  readonly rule: InputRule | null;
  readonly judgement: Judgement | null;
}

export interface TrialRequest {
  readonly code: string;
  /** Those in force, unless told otherwise. */
  readonly rules: readonly InputRule[] | null;
  readonly by: Technician;
}

interface CredentialTrialsParts {
  readonly judge: Judge;
  readonly rules: () => CompiledInputRules;
  readonly live: LiveFeed;
  readonly log: EventLog;
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly state: StateStore;
  readonly times: LockoutTimes;
}

/**
 * What a credential would come to, without anything coming of it. A wrong PIN is as wrong as at a keypad, counted and
 * written down: otherwise this would be the place where PINs are guessed.
 */
export class CredentialTrials {
  readonly #parts: CredentialTrialsParts;
  readonly #lockout: KeptLockout;

  constructor(parts: CredentialTrialsParts) {
    this.#parts = parts;
    this.#lockout = new KeptLockout({ ...parts, key: 'technician_try_lockout' });
  }

  /** 0 when a PIN may be tried. */
  lockedForMs(): number {
    return this.#lockout.lockedForMs();
  }

  /** Not while it is locked. */
  pin(request: TrialRequest, pin: PinDigits): Trial {
    const { judge } = this.#parts;
    const trial = this.#try(request, destination => judge.pin(destination, pin));
    if (trial.judgement?.granted === false) this.#wrong(trial.judgement, request.by);
    return trial;
  }

  tap(request: TrialRequest, tap: Tap): Trial {
    const { judge } = this.#parts;
    return this.#try(request, destination => judge.tap(destination, tap));
  }

  #try(
    { code, rules }: TrialRequest,
    judged: (destination: NonNullable<ReturnType<typeof destinationOf>>) => Judgement,
  ): Trial {
    const compiled = rules === null ? this.#parts.rules() : compileInputRules(rules);
    const destination = destinationOf(compiled, code);
    if (destination === null) return { rule: null, judgement: null };
    const judgement = judged(destination);
    this.#parts.live.tried(judgement);
    return { rule: destination.kind === 'rule' ? destination.rule : null, judgement };
  }

  #wrong({ reason, target }: Extract<Judgement, { granted: false }>, by: Technician): void {
    const { log } = this.#parts;
    const gadget = target === null ? {} : { gadget_id: target.gadget_id, gadget_action_id: target.action_id };
    const common = {
      kind: 'deny',
      subject: { ...subjectOf(by), access_method: 'pin' as const },
      detail: inDetail('try', by),
    };
    log.record({ ...common, ...gadget, reason });
    if (this.#lockout.wrong() > 0) log.record({ ...common, reason: 'locked_out' });
  }
}
