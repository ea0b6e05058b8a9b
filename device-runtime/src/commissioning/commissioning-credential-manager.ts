import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import { listShorterPins, type PinDigits } from '@lintel/access-core/pin-digits';
import type { CardUid } from '@lintel/wire-protocol/rest/card-uid';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';
import type { DeviceCredentialDigester } from '../credentials/credential-digests.ts';
import type { EventLog } from '../events/event-log.ts';
import { generateUnusedPin } from './generate-unused-pin.ts';
import type { ActiveSnapshot } from '../snapshot/active-snapshot.ts';
import {
  describeTechnicianAction,
  parseActingTechnician,
  toTechnicianEventSubject,
  type ActingTechnician,
} from '../events/acting-technician.ts';

const COMMISSIONING_MS = 15 * 60_000;

interface StoredCredential {
  readonly kind: 'pin' | 'card';
  readonly digest: string;
  /** Digests of the shorter PINs that are prefixes of this PIN. */
  readonly prefixDigests: ReadonlySet<string>;
  readonly maskedCard: string | null;
  readonly by: ActingTechnician;
  readonly expiresAt: MonotonicTime;
  readonly uses: number;
}

export interface CommissioningCredentialStatus extends Pick<StoredCredential, 'kind' | 'maskedCard' | 'by' | 'uses'> {
  readonly left_ms: number;
}

interface CommissioningDependencies {
  readonly snapshot: () => ActiveSnapshot;
  readonly digests: DeviceCredentialDigester;
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly state: ControllerStateStore;
  readonly log: EventLog;
  readonly randomBytes: (count: number) => Uint8Array;
  /** The deadline has changed. */
  readonly onChange: () => void;
}

/**
 * The single PIN or card with which a technician tests the rules of this controller without a member's credential. Kept
 * in memory only, as a digest: a restart ends it.
 */
export class CommissioningCredentialManager {
  readonly #parts: CommissioningDependencies;
  #stored: StoredCredential | null = null;

  constructor(parts: CommissioningDependencies) {
    this.#parts = parts;
  }

  /** Records the end of a credential that a restart ended. */
  reportEndByRestart(): void {
    const left = parseActingTechnician(this.#parts.state.read('commissioning'));
    if (left === null) return;
    this.#parts.state.write('commissioning', null);
    this.#record('commissioning_ended', 'restart', left);
  }

  /** Replaces the current credential. Null when no PIN is free. */
  createPin(by: ActingTechnician): PinDigits | null {
    const { snapshot, digests, randomBytes } = this.#parts;
    const pins = { known: (pin: PinDigits) => snapshot().index.isPinKnown(digests.pin(pin)) };
    const pin = generateUnusedPin(pins, randomBytes);
    if (pin === null) return null;
    const prefixDigests = new Set(listShorterPins(pin).map(prefix => digests.pin(prefix)));
    this.#replace({ kind: 'pin', digest: digests.pin(pin), prefixDigests, maskedCard: null }, by);
    return pin;
  }

  /** Replaces the current credential. False for the card of a member. */
  createCard(uid: CardUid, maskedCard: string, by: ActingTechnician): boolean {
    const { snapshot, digests } = this.#parts;
    const digest = digests.card(uid);
    if (snapshot().index.findCard(digest) !== null) return false;
    this.#replace({ kind: 'card', digest, prefixDigests: new Set(), maskedCard }, by);
    return true;
  }

  #replace(
    made: Pick<StoredCredential, 'kind' | 'digest' | 'prefixDigests' | 'maskedCard'>,
    by: ActingTechnician,
  ): void {
    const { clock, state, onChange } = this.#parts;
    if (this.#stored !== null) this.#end('replaced', by);
    this.#stored = { ...made, by, expiresAt: addMilliseconds(clock.now(), COMMISSIONING_MS), uses: 0 };
    state.write('commissioning', by);
    this.#record('commissioning_made', `${made.kind} for ${COMMISSIONING_MS / 60_000} minutes`, by);
    onChange();
  }

  /** False when there is no credential. */
  end(by: ActingTechnician): boolean {
    if (this.current === null) return false;
    this.#end('asked for', by);
    return true;
  }

  #end(why: string, by: ActingTechnician): void {
    this.#stored = null;
    this.#parts.state.write('commissioning', null);
    this.#record('commissioning_ended', why, by);
  }

  /** The controller has another owner now. */
  discard(): void {
    if (this.#stored === null) return;
    this.#stored = null;
    this.#parts.state.write('commissioning', null);
  }

  #record(kind: string, what: string, by: ActingTechnician): void {
    this.#parts.log.record({ kind, subject: toTechnicianEventSubject(by), detail: describeTechnicianAction(what, by) });
  }

  get #valid(): StoredCredential | null {
    return this.#stored !== null && this.#parts.clock.now() < this.#stored.expiresAt ? this.#stored : null;
  }

  get current(): CommissioningCredentialStatus | null {
    const valid = this.#valid;
    if (valid === null) return null;
    const { kind, maskedCard, by, uses, expiresAt } = valid;
    return { kind, maskedCard, by, uses, left_ms: expiresAt - this.#parts.clock.now() };
  }

  /** The technician whose credential this is; null for other credentials. */
  technicianWith(kind: StoredCredential['kind'], digest: string): ActingTechnician | null {
    const valid = this.#valid;
    return valid?.kind === kind && valid.digest === digest ? valid.by : null;
  }

  /** Whether this PIN is a prefix of the commissioning PIN. */
  isPrefix(digest: string): boolean {
    return this.#valid?.prefixDigests.has(digest) === true;
  }

  /** Called after the credential opened a gadget. */
  countUse(): void {
    if (this.#stored !== null) this.#stored = { ...this.#stored, uses: this.#stored.uses + 1 };
  }

  deadline(): MonotonicTime | null {
    return this.#stored?.expiresAt ?? null;
  }

  timer(): void {
    if (this.#stored !== null && this.#valid === null) this.#end('expired', this.#stored.by);
  }
}
