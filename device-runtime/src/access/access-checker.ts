import type { AccessMethod, DenialReason } from '@lintel/access-core/access-model';
import type { GadgetId, MemberId } from '@lintel/access-core/ids';
import type { Destination } from '@lintel/access-core/input-rules-compiled';
import type { Keypad, Verdict } from '@lintel/access-core/key-entry-model';
import type { Decision, UntrustedTimePolicy } from '@lintel/access-core/permission/decision';
import type { PinDigits } from '@lintel/access-core/pin-digits';
import type { ActingSubject } from '../gadgets/peer-gadgets.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { Commissioning } from '../commissioning/commissioning.ts';
import type { CredentialDigests } from '../credentials/credential-digests.ts';
import type { Revocations } from '../credentials/revocation-log.ts';
import type { ServedSlice } from '../snapshot/active-snapshot.ts';
import type { Tap } from '../credentials/tap.ts';
import { subjectOf, type Technician } from '../events/technician-record.ts';

export interface Target {
  readonly gadget_id: GadgetId;
  readonly action_id: string;
}

export type Judgement = Verdict & {
  readonly subject: ActingSubject;
  /** The technician who tries the rules with a PIN or card made for that. */
  readonly commissioning?: Technician;
} & (
    | { readonly granted: true; readonly target: Target }
    | { readonly granted: false; readonly target: Target | null; readonly reason: DenialReason }
  );

const reasonOf = (decision: Exclude<Decision, { outcome: 'grant' }>): DenialReason =>
  decision.outcome === 'deny' ? decision.reason : 'no_matching_rule';

export interface JudgeParts {
  /** The slice is replaced as a whole now and then. */
  readonly slice: () => ServedSlice;
  readonly digests: CredentialDigests;
  readonly revocations: Revocations;
  readonly commissioning: Pick<Commissioning, 'holderOf' | 'extends'>;
  readonly clock: WallClock;
  readonly untrustedTime: UntrustedTimePolicy;
  /** A slice that nobody has confirmed for too long may be no ground to open anything. */
  readonly isSliceOfUse: () => boolean;
}

/** Who it is and whether they may. It only decides, it opens nothing. */
export class Judge {
  readonly #parts: JudgeParts;
  readonly pins: Keypad<Judgement>['pins'];

  constructor(parts: JudgeParts) {
    this.#parts = parts;
    this.pins = {
      known: pin => {
        const digest = parts.digests.pin(pin);
        return parts.slice().index.isPinKnown(digest) || parts.commissioning.holderOf('pin', digest) !== null;
      },
      extended: pin => {
        const digest = parts.digests.pin(pin);
        return parts.slice().index.isPinExtended(digest) || parts.commissioning.extends(digest);
      },
    };
  }

  /** Without any rules: the first action of the first gadget. */
  target(destination: Destination): Target | null {
    if (destination.kind === 'rule') return destination.rule;
    const [gadget] = this.#parts.slice().ownGadgets;
    const [action] = gadget?.actions ?? [];
    return gadget === undefined || action === undefined ? null : { gadget_id: gadget.id, action_id: action.id };
  }

  pin(destination: Destination, pin: PinDigits): Judgement {
    const { slice, digests, commissioning } = this.#parts;
    const digest = digests.pin(pin);
    const found = slice().index.findPin(digest);
    const technician = found === null ? commissioning.holderOf('pin', digest) : null;
    if (technician !== null) return this.#judgeTechnician(destination, 'pin', technician);
    return this.#judge(destination, 'pin', found, id => ({ member_pin_id: id }));
  }

  tap(destination: Destination, tap: Tap): Judgement {
    if (tap.kind === 'card') {
      const found = this.#findCard(tap);
      const technician = found === null ? this.#technicianWith(tap) : null;
      if (technician !== null) return this.#judgeTechnician(destination, 'card', technician);
      return this.#judge(destination, 'card', found, id => ({ member_card_id: id }));
    }
    return this.#judge(destination, 'mobile_nfc', this.#findPhone(tap), id => ({ member_token_id: id }));
  }

  /** Whose card or phone it is, as far as it is known, for the record. */
  subjectOfTap(tap: Tap): ActingSubject {
    const { revocations } = this.#parts;
    if (tap.kind === 'card') {
      const found = this.#findCard(tap);
      const technician = found === null ? this.#technicianWith(tap) : null;
      if (technician !== null) return { ...subjectOf(technician), access_method: 'card' };
      if (found === null || revocations.has(found.credential_id)) return { access_method: 'card' };
      return { member_id: found.member_id, member_card_id: found.credential_id, access_method: 'card' };
    }
    const found = this.#findPhone(tap);
    if (found === null || revocations.has(found.credential_id)) return { access_method: 'mobile_nfc' };
    return { member_id: found.member_id, member_token_id: found.credential_id, access_method: 'mobile_nfc' };
  }

  #findCard({ uid }: Extract<Tap, { kind: 'card' }>) {
    const { slice, digests } = this.#parts;
    return slice().index.findCard(digests.card(uid));
  }

  #technicianWith({ uid }: Extract<Tap, { kind: 'card' }>): Technician | null {
    const { commissioning, digests } = this.#parts;
    return commissioning.holderOf('card', digests.card(uid));
  }

  #findPhone({ key }: Extract<Tap, { kind: 'phone' }>) {
    return this.#parts.slice().index.findToken(key);
  }

  #judge<Id extends string>(
    destination: Destination,
    access_method: AccessMethod,
    found: { readonly member_id: MemberId; readonly credential_id: Id } | null,
    credential: (id: Id) => ActingSubject,
  ): Judgement {
    const target = this.target(destination);
    if (found === null || this.#parts.revocations.has(found.credential_id))
      return { granted: false, target, reason: 'unknown_credential', subject: { access_method } };
    const subject = { ...credential(found.credential_id), member_id: found.member_id, access_method };
    if (target === null) return { granted: false, target, reason: 'no_input_rule', subject };
    return this.judgeMember(target, found.member_id, access_method, subject);
  }

  /** Every rule of this controller to a gadget of its own. Another one would not know the credential. */
  #judgeTechnician(destination: Destination, access_method: 'pin' | 'card', commissioning: Technician): Judgement {
    const { slice, isSliceOfUse } = this.#parts;
    const target = this.target(destination);
    const shown = { subject: { ...subjectOf(commissioning), access_method }, commissioning };
    if (target === null) return { granted: false, target, reason: 'no_input_rule', ...shown };
    if (!isSliceOfUse()) return { granted: false, target, reason: 'unknown_credential', ...shown };
    if (!slice().isOwn(target.gadget_id)) return { granted: false, target, reason: 'no_matching_rule', ...shown };
    return { granted: true, target, ...shown };
  }

  /** For a request of another controller, whose slice may be older: the credential has to be known here too. */
  judgeForPeer(target: Target, member_id: MemberId, access_method: AccessMethod, subject: ActingSubject): Judgement {
    if (this.#hasCredential(member_id, subject)) return this.judgeMember(target, member_id, access_method, subject);
    return { granted: false, target, reason: 'unknown_credential', subject };
  }

  #hasCredential(member_id: MemberId, subject: ActingSubject): boolean {
    const { slice, revocations } = this.#parts;
    const member = slice().index.member(member_id);
    if (member === undefined) return true;
    const shown = [subject.member_pin_id, subject.member_card_id, subject.member_token_id].filter(id => id != null);
    const held = new Set<string>([...member.pins, ...member.cards, ...member.tokens].map(({ id }) => id));
    return shown.every(id => held.has(id) && !revocations.has(id));
  }

  judgeMember(target: Target, member_id: MemberId, access_method: AccessMethod, subject: ActingSubject): Judgement {
    const { revocations, isSliceOfUse } = this.#parts;
    if (!isSliceOfUse()) return { granted: false, target, reason: 'unknown_credential', subject };
    if (revocations.has(member_id)) return { granted: false, target, reason: 'member_deleted', subject };
    const decision = this.#decide(target, member_id, access_method);
    if (decision.outcome !== 'grant') return { granted: false, target, reason: reasonOf(decision), subject };
    if (!revocations.has(decision.association_id)) return { granted: true, target, subject };
    revocations.trim(this.#parts.slice().index, member_id);
    return this.judgeMember(target, member_id, access_method, subject);
  }

  #decide(target: Target, member_id: MemberId, access_method: AccessMethod): Decision {
    const { slice, clock, untrustedTime } = this.#parts;
    const { gadget_id, action_id } = target;
    const request = { member_id, gadget_id, action_id, access_method, now: clock.now(), time_trusted: clock.trusted() };
    return slice().index.decide(request, untrustedTime);
  }
}
