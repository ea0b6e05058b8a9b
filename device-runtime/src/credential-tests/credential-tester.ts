import type { InputRule } from '@lintel/access-core/input-rules';
import {
  compileInputRules,
  type CompiledInputRules,
  findCredentialDestination,
} from '@lintel/access-core/input-rules-compiled';
import type { LockoutTimes } from '@lintel/access-core/lockout';
import type { PinDigits } from '@lintel/access-core/pin-digits';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';
import type { EventLog } from '../events/event-log.ts';
import type { AccessChecker, AccessDecision } from '../access/access-checker.ts';
import { PersistedLockout } from '../access/persisted-non-keypad-lockout.ts';
import type { LiveFeed } from '../live/live-feed.ts';
import type { Tap } from '../credentials/reader-tap-type.ts';
import {
  describeTechnicianAction,
  toTechnicianEventSubject,
  type ActingTechnician,
} from '../events/acting-technician.ts';

/** `decision` is null when no rule has this code. */
export interface CredentialTestResult {
  readonly rule: InputRule | null;
  readonly decision: AccessDecision | null;
}

export interface CredentialTestRequest {
  readonly code: string;
  /** Default: the current rules. */
  readonly rules: readonly InputRule[] | null;
  readonly by: ActingTechnician;
}

interface CredentialTesterDependencies {
  readonly checker: AccessChecker;
  readonly rules: () => CompiledInputRules;
  readonly live: LiveFeed;
  readonly log: EventLog;
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly state: ControllerStateStore;
  readonly times: LockoutTimes;
}

/**
 * Decides on a credential without opening anything. A wrong PIN is counted and recorded as at a keypad, so that PINs
 * cannot be guessed here.
 */
export class CredentialTester {
  readonly #parts: CredentialTesterDependencies;
  readonly #lockout: PersistedLockout;

  constructor(parts: CredentialTesterDependencies) {
    this.#parts = parts;
    this.#lockout = new PersistedLockout({ ...parts, key: 'technician_try_lockout' });
  }

  /** 0 when PINs are accepted. */
  lockedForMs(): number {
    return this.#lockout.lockedForMs();
  }

  /** Must not be called while locked. */
  testPin(request: CredentialTestRequest, pin: PinDigits): CredentialTestResult {
    const { checker } = this.#parts;
    const test = this.#test(request, destination => checker.checkPin(destination, pin));
    if (test.decision?.granted === false) this.#recordWrongEntry(test.decision, request.by);
    return test;
  }

  testTap(request: CredentialTestRequest, tap: Tap): CredentialTestResult {
    const { checker } = this.#parts;
    return this.#test(request, destination => checker.checkTap(destination, tap));
  }

  #test(
    { code, rules }: CredentialTestRequest,
    check: (destination: NonNullable<ReturnType<typeof findCredentialDestination>>) => AccessDecision,
  ): CredentialTestResult {
    const compiled = rules === null ? this.#parts.rules() : compileInputRules(rules);
    const destination = findCredentialDestination(compiled, code);
    if (destination === null) return { rule: null, decision: null };
    const decision = check(destination);
    this.#parts.live.credentialTested(decision);
    return { rule: destination.kind === 'rule' ? destination.rule : null, decision };
  }

  #recordWrongEntry({ reason, target }: Extract<AccessDecision, { granted: false }>, by: ActingTechnician): void {
    const { log } = this.#parts;
    const gadget = target === null ? {} : { gadget_id: target.gadget_id, gadget_action_id: target.action_id };
    const common = {
      kind: 'deny',
      subject: { ...toTechnicianEventSubject(by), access_method: 'pin' as const },
      detail: describeTechnicianAction('try', by),
    };
    log.record({ ...common, ...gadget, reason });
    if (this.#lockout.countWrongEntry() > 0) log.record({ ...common, reason: 'locked_out' });
  }
}
