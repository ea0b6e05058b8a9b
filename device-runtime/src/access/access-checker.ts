import type { AccessMethod, DenialReason } from '@lintel/access-core/access-data-types';
import type { GadgetId, MemberId } from '@lintel/access-core/ids';
import type { CredentialDestination } from '@lintel/access-core/input-rules-compiled';
import type { KeypadEntryContext, PinCheckResult } from '@lintel/access-core/key-entry-types';
import type { PermissionDecision, UntrustedTimePolicy } from '@lintel/access-core/permission/decision-types';
import type { PinDigits } from '@lintel/access-core/pin-digits';
import type { DeviceEventSubject } from '../gadgets/peer-action-executor-interface.ts';
import type { WallClock } from '../clock/wall-clock-interface.ts';
import type { CommissioningCredentialManager } from '../commissioning/commissioning-credential-manager.ts';
import type { DeviceCredentialDigester } from '../credentials/credential-digests.ts';
import type { RevocationLog } from '../credentials/revocation-log.ts';
import type { ActiveSnapshot } from '../snapshot/active-snapshot.ts';
import type { Tap } from '../credentials/reader-tap-type.ts';
import type { ProvenPhoneKey } from '@lintel/drivers/interfaces';
import { toTechnicianEventSubject, type ActingTechnician } from '../events/acting-technician.ts';

export interface GadgetActionIds {
  readonly gadget_id: GadgetId;
  readonly action_id: string;
}

export type AccessDecision = PinCheckResult & {
  readonly subject: DeviceEventSubject;
  /** The technician whose commissioning credential was presented. */
  readonly commissioning?: ActingTechnician;
} & (
    | { readonly granted: true; readonly target: GadgetActionIds }
    | { readonly granted: false; readonly target: GadgetActionIds | null; readonly reason: DenialReason }
  );

const reasonOf = (decision: Exclude<PermissionDecision, { outcome: 'grant' }>): DenialReason =>
  decision.outcome === 'deny' ? decision.reason : 'no_matching_rule';

interface AccessCheckerDependencies {
  /** Returns the current snapshot, which is replaced as a whole. */
  readonly snapshot: () => ActiveSnapshot;
  readonly digests: DeviceCredentialDigester;
  readonly revocations: RevocationLog;
  readonly commissioning: Pick<CommissioningCredentialManager, 'technicianWith' | 'isPrefix'>;
  readonly clock: WallClock;
  readonly untrustedTime: UntrustedTimePolicy;
  /** False when the bridge has not confirmed the snapshot for too long: all access is denied then. */
  readonly isSnapshotValid: () => boolean;
}

/** Identifies credentials and decides on access. Moves nothing. */
export class AccessChecker {
  readonly #parts: AccessCheckerDependencies;
  readonly pins: KeypadEntryContext<AccessDecision>['pins'];

  constructor(parts: AccessCheckerDependencies) {
    this.#parts = parts;
    this.pins = {
      known: pin => {
        const digest = parts.digests.pin(pin);
        return parts.snapshot().index.isPinKnown(digest) || parts.commissioning.technicianWith('pin', digest) !== null;
      },
      extended: pin => {
        const digest = parts.digests.pin(pin);
        return parts.snapshot().index.isPinExtended(digest) || parts.commissioning.isPrefix(digest);
      },
    };
  }

  /** Without input rules: the first action of the first gadget. */
  targetOf(destination: CredentialDestination): GadgetActionIds | null {
    if (destination.kind === 'rule') return destination.rule;
    const [gadget] = this.#parts.snapshot().ownGadgets;
    const [action] = gadget?.actions ?? [];
    return gadget === undefined || action === undefined ? null : { gadget_id: gadget.id, action_id: action.id };
  }

  checkPin(destination: CredentialDestination, pin: PinDigits): AccessDecision {
    const { snapshot, digests, commissioning } = this.#parts;
    const digest = digests.pin(pin);
    const found = snapshot().index.findPin(digest);
    const technician = found === null ? commissioning.technicianWith('pin', digest) : null;
    if (technician !== null) return this.#checkTechnician(destination, 'pin', technician);
    return this.#check(destination, 'pin', found, id => ({ member_pin_id: id }));
  }

  checkTap(destination: CredentialDestination, tap: Tap): AccessDecision {
    switch (tap.kind) {
      case 'card': {
        const found = this.#findCard(tap);
        const technician = found === null ? this.#technicianWith(tap) : null;
        if (technician !== null) return this.#checkTechnician(destination, 'card', technician);
        return this.#check(destination, 'card', found, id => ({ member_card_id: id }));
      }
      case 'phone':
        return this.#check(destination, 'mobile_nfc', this.#findPhone(tap), id => ({ member_token_id: id }));
      // The same credential as on the guest page, so that a QR code opens nothing that the link does not open.
      case 'magic_link':
        return this.#check(destination, 'online', this.#findMagicLink(tap), id => ({ member_magic_link_id: id }));
    }
  }

  /** For a phone over Bluetooth, which names the gadget itself. */
  checkBluetooth(target: GadgetActionIds, key: ProvenPhoneKey): AccessDecision {
    const found = this.#findPhone({ key });
    const decision = this.#checkAt(target, 'bluetooth', found, id => ({ member_token_id: id }));
    if (!decision.granted || this.#parts.snapshot().isOwn(target.gadget_id)) return decision;
    return { granted: false, target, reason: 'no_matching_rule', subject: decision.subject };
  }

  /** The subject of the event for a tap, with the member if it is known. */
  subjectOfTap(tap: Tap): DeviceEventSubject {
    switch (tap.kind) {
      case 'card': {
        const found = this.#findCard(tap);
        const technician = found === null ? this.#technicianWith(tap) : null;
        if (technician !== null) return { ...toTechnicianEventSubject(technician), access_method: 'card' };
        return this.#subjectOf('card', found, id => ({ member_card_id: id }));
      }
      case 'phone':
        return this.#subjectOf('mobile_nfc', this.#findPhone(tap), id => ({ member_token_id: id }));
      case 'magic_link':
        return this.#subjectOf('online', this.#findMagicLink(tap), id => ({ member_magic_link_id: id }));
    }
  }

  #subjectOf<Id extends string>(
    access_method: AccessMethod,
    found: { readonly member_id: MemberId; readonly credential_id: Id } | null,
    credential: (id: Id) => DeviceEventSubject,
  ): DeviceEventSubject {
    if (found === null || this.#parts.revocations.has(found.credential_id)) return { access_method };
    return { member_id: found.member_id, ...credential(found.credential_id), access_method };
  }

  #findCard({ uid }: Extract<Tap, { kind: 'card' }>) {
    const { snapshot, digests } = this.#parts;
    return snapshot().index.findCard(digests.card(uid));
  }

  #technicianWith({ uid }: Extract<Tap, { kind: 'card' }>): ActingTechnician | null {
    const { commissioning, digests } = this.#parts;
    return commissioning.technicianWith('card', digests.card(uid));
  }

  #findPhone({ key }: { readonly key: ProvenPhoneKey }) {
    return this.#parts.snapshot().index.findToken(key);
  }

  #findMagicLink({ token }: Extract<Tap, { kind: 'magic_link' }>) {
    const { snapshot, digests } = this.#parts;
    return snapshot().index.findMagicLink(digests.magicLink(token));
  }

  #check<Id extends string>(
    destination: CredentialDestination,
    access_method: AccessMethod,
    found: { readonly member_id: MemberId; readonly credential_id: Id } | null,
    credential: (id: Id) => DeviceEventSubject,
  ): AccessDecision {
    return this.#checkAt(this.targetOf(destination), access_method, found, credential);
  }

  #checkAt<Id extends string>(
    target: GadgetActionIds | null,
    access_method: AccessMethod,
    found: { readonly member_id: MemberId; readonly credential_id: Id } | null,
    credential: (id: Id) => DeviceEventSubject,
  ): AccessDecision {
    if (found === null || this.#parts.revocations.has(found.credential_id))
      return { granted: false, target, reason: 'unknown_credential', subject: { access_method } };
    const subject = { ...credential(found.credential_id), member_id: found.member_id, access_method };
    if (target === null) return { granted: false, target, reason: 'no_input_rule', subject };
    return this.checkMember(target, found.member_id, access_method, subject);
  }

  /** Grants every rule to a gadget of this controller. Other controllers do not know the credential. */
  #checkTechnician(
    destination: CredentialDestination,
    access_method: 'pin' | 'card',
    commissioning: ActingTechnician,
  ): AccessDecision {
    const { snapshot, isSnapshotValid } = this.#parts;
    const target = this.targetOf(destination);
    const shown = { subject: { ...toTechnicianEventSubject(commissioning), access_method }, commissioning };
    if (target === null) return { granted: false, target, reason: 'no_input_rule', ...shown };
    if (!isSnapshotValid()) return { granted: false, target, reason: 'unknown_credential', ...shown };
    if (!snapshot().isOwn(target.gadget_id)) return { granted: false, target, reason: 'no_matching_rule', ...shown };
    return { granted: true, target, ...shown };
  }

  /** For a request of another controller, whose snapshot may be older: the credential must be known here too. */
  checkForPeer(
    target: GadgetActionIds,
    member_id: MemberId,
    access_method: AccessMethod,
    subject: DeviceEventSubject,
  ): AccessDecision {
    if (this.#hasCredential(member_id, subject)) return this.checkMember(target, member_id, access_method, subject);
    return { granted: false, target, reason: 'unknown_credential', subject };
  }

  #hasCredential(member_id: MemberId, subject: DeviceEventSubject): boolean {
    const { snapshot, revocations } = this.#parts;
    const member = snapshot().index.member(member_id);
    if (member === undefined) return true;
    const { member_pin_id, member_card_id, member_token_id, member_magic_link_id } = subject;
    const shown = [member_pin_id, member_card_id, member_token_id, member_magic_link_id].filter(id => id != null);
    const { pins, cards, tokens, magic_links = [] } = member;
    const held = new Set<string>([...pins, ...cards, ...tokens, ...magic_links].map(({ id }) => id));
    return shown.every(id => held.has(id) && !revocations.has(id));
  }

  checkMember(
    target: GadgetActionIds,
    member_id: MemberId,
    access_method: AccessMethod,
    subject: DeviceEventSubject,
  ): AccessDecision {
    const { revocations, isSnapshotValid } = this.#parts;
    if (!isSnapshotValid()) return { granted: false, target, reason: 'unknown_credential', subject };
    if (revocations.has(member_id)) return { granted: false, target, reason: 'member_deleted', subject };
    const decision = this.#decide(target, member_id, access_method);
    if (decision.outcome !== 'grant') return { granted: false, target, reason: reasonOf(decision), subject };
    if (!revocations.has(decision.association_id)) return { granted: true, target, subject };
    revocations.removeRevokedAssociations(this.#parts.snapshot().index, member_id);
    return this.checkMember(target, member_id, access_method, subject);
  }

  #decide(target: GadgetActionIds, member_id: MemberId, access_method: AccessMethod): PermissionDecision {
    const { snapshot, clock, untrustedTime } = this.#parts;
    const { gadget_id, action_id } = target;
    const request = {
      member_id,
      gadget_id,
      action_id,
      access_method,
      now: clock.now(),
      time_trusted: clock.isTrusted(),
      // The bridge decides on all other online requests.
      is_at_reader: true,
    };
    return snapshot().index.decide(request, untrustedTime);
  }
}
