import type { InputRule } from '@lintel/access-core/input-rules';
import { compileInputRules, type CompiledInputRules, destinationOf } from '@lintel/access-core/input-rules-compiled';
import type { LockoutTimes } from '@lintel/access-core/lockout';
import type { PinDigits } from '@lintel/access-core/pin-digits';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { StateStore } from '../state/state-store.ts';
import type { EventLog } from '../events/event-log.ts';
import type { AccessChecker, AccessDecision } from '../access/access-checker.ts';
import { PersistedLockout } from '../access/persisted-lockout.ts';
import type { LiveFeed } from '../live/live-feed.ts';
import type { Tap } from '../credentials/tap.ts';
import { inDetail, subjectOf, type Technician } from '../events/technician-record.ts';

/** `decision` is null where no rule has this code: then nobody has looked at the credential. */
export interface CredentialTest {
  readonly rule: InputRule | null;
  readonly decision: AccessDecision | null;
}

export interface CredentialTestRequest {
  readonly code: string;
  /** Default: the current rules. */
  readonly rules: readonly InputRule[] | null;
  readonly by: Technician;
}

interface CredentialTestsParts {
  readonly checker: AccessChecker;
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
export class CredentialTests {
  readonly #parts: CredentialTestsParts;
  readonly #lockout: PersistedLockout;

  constructor(parts: CredentialTestsParts) {
    this.#parts = parts;
    this.#lockout = new PersistedLockout({ ...parts, key: 'technician_try_lockout' });
  }

  /** 0 when a PIN may be tried. */
  lockedForMs(): number {
    return this.#lockout.lockedForMs();
  }

  /** Not while it is locked. */
  pin(request: CredentialTestRequest, pin: PinDigits): CredentialTest {
    const { checker } = this.#parts;
    const test = this.#try(request, destination => checker.pin(destination, pin));
    if (test.decision?.granted === false) this.#wrong(test.decision, request.by);
    return test;
  }

  tap(request: CredentialTestRequest, tap: Tap): CredentialTest {
    const { checker } = this.#parts;
    return this.#try(request, destination => checker.tap(destination, tap));
  }

  #try(
    { code, rules }: CredentialTestRequest,
    check: (destination: NonNullable<ReturnType<typeof destinationOf>>) => AccessDecision,
  ): CredentialTest {
    const compiled = rules === null ? this.#parts.rules() : compileInputRules(rules);
    const destination = destinationOf(compiled, code);
    if (destination === null) return { rule: null, decision: null };
    const decision = check(destination);
    this.#parts.live.tried(decision);
    return { rule: destination.kind === 'rule' ? destination.rule : null, decision };
  }

  #wrong({ reason, target }: Extract<AccessDecision, { granted: false }>, by: Technician): void {
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
