import { after, type Monotonic } from '@lintel/access-core/monotonic';
import type { PinDigits } from '@lintel/access-core/pin-digits';
import type { CardUid } from '@lintel/wire-protocol/rest/card';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { StateStore } from '../state/state-store.ts';
import type { CredentialDigests } from '../credentials/credential-digests.ts';
import type { EventLog } from '../events/event-log.ts';
import { freePin, shorterPins } from './random-pin.ts';
import type { ActiveSnapshot } from '../snapshot/active-snapshot.ts';
import { inDetail, readTechnician, subjectOf, type Technician } from '../events/technician-record.ts';

const COMMISSIONING_MS = 15 * 60_000;

interface Kept {
  readonly kind: 'pin' | 'card';
  readonly digest: string;
  /** Of the PINs that this one continues. */
  readonly begun: ReadonlySet<string>;
  readonly shown: string | null;
  readonly by: Technician;
  readonly ends: Monotonic;
  readonly uses: number;
}

export interface CommissioningCredential extends Pick<Kept, 'kind' | 'shown' | 'by' | 'uses'> {
  readonly left_ms: number;
}

interface CommissioningParts {
  readonly snapshot: () => ActiveSnapshot;
  readonly digests: CredentialDigests;
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly state: StateStore;
  readonly log: EventLog;
  readonly randomBytes: (count: number) => Uint8Array;
  /** There is another deadline. */
  readonly changed: () => void;
}

/**
 * The one PIN or card by which a technician proves the rules of this controller without anybody's secret. In memory
 * only, as a digest: a restart ends it.
 */
export class Commissioning {
  readonly #parts: CommissioningParts;
  #kept: Kept | null = null;

  constructor(parts: CommissioningParts) {
    this.#parts = parts;
  }

  /** A restart has ended it; that it did is told. */
  begin(): void {
    const left = readTechnician(this.#parts.state.read('commissioning'));
    if (left === null) return;
    this.#parts.state.write('commissioning', null);
    this.#record('commissioning_ended', 'restart', left);
  }

  /** In place of the one there was. Null when no PIN is free. */
  makePin(by: Technician): PinDigits | null {
    const { snapshot, digests, randomBytes } = this.#parts;
    const pins = {
      known: (pin: PinDigits) => snapshot().index.isPinKnown(digests.pin(pin)),
      extended: (pin: PinDigits) => snapshot().index.isPinExtended(digests.pin(pin)),
    };
    const pin = freePin(pins, randomBytes);
    if (pin === null) return null;
    const begun = new Set(shorterPins(pin).map(one => digests.pin(one)));
    this.#make({ kind: 'pin', digest: digests.pin(pin), begun, shown: null }, by);
    return pin;
  }

  /** In place of the one there was. False for a card of a member, which stays that member's. */
  makeCard(uid: CardUid, shown: string, by: Technician): boolean {
    const { snapshot, digests } = this.#parts;
    const digest = digests.card(uid);
    if (snapshot().index.findCard(digest) !== null) return false;
    this.#make({ kind: 'card', digest, begun: new Set(), shown }, by);
    return true;
  }

  #make(made: Pick<Kept, 'kind' | 'digest' | 'begun' | 'shown'>, by: Technician): void {
    const { clock, state, changed } = this.#parts;
    if (this.#kept !== null) this.#end('replaced', by);
    this.#kept = { ...made, by, ends: after(clock.now(), COMMISSIONING_MS), uses: 0 };
    state.write('commissioning', by);
    this.#record('commissioning_made', `${made.kind} for ${COMMISSIONING_MS / 60_000} minutes`, by);
    changed();
  }

  /** False when there is none. */
  end(by: Technician): boolean {
    if (this.current === null) return false;
    this.#end('asked for', by);
    return true;
  }

  #end(why: string, by: Technician): void {
    this.#kept = null;
    this.#parts.state.write('commissioning', null);
    this.#record('commissioning_ended', why, by);
  }

  /** The controller is somebody else's now. */
  forget(): void {
    if (this.#kept === null) return;
    this.#kept = null;
    this.#parts.state.write('commissioning', null);
  }

  #record(kind: string, what: string, by: Technician): void {
    this.#parts.log.record({ kind, subject: subjectOf(by), detail: inDetail(what, by) });
  }

  get #living(): Kept | null {
    return this.#kept !== null && this.#parts.clock.now() < this.#kept.ends ? this.#kept : null;
  }

  get current(): CommissioningCredential | null {
    const living = this.#living;
    if (living === null) return null;
    const { kind, shown, by, uses, ends } = living;
    return { kind, shown, by, uses, left_ms: ends - this.#parts.clock.now() };
  }

  /** Whose it is; null for any other. */
  holderOf(kind: Kept['kind'], digest: string): Technician | null {
    const living = this.#living;
    return living?.kind === kind && living.digest === digest ? living.by : null;
  }

  /** Whether it continues this PIN. */
  extends(digest: string): boolean {
    return this.#living?.begun.has(digest) === true;
  }

  /** It has opened something. */
  used(): void {
    if (this.#kept !== null) this.#kept = { ...this.#kept, uses: this.#kept.uses + 1 };
  }

  deadline(): Monotonic | null {
    return this.#kept?.ends ?? null;
  }

  timer(): void {
    if (this.#kept !== null && this.#living === null) this.#end('expired', this.#kept.by);
  }
}
