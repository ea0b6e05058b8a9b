import type { AccessRequest, Gadget, Member, MemberGroup, Schedule, Site } from '../access-data-types.ts';
import type {
  GadgetId,
  MemberCardId,
  MemberGroupId,
  MemberId,
  MemberMagicLinkId,
  MemberPinId,
  MemberTokenId,
  ScheduleId,
  SiteId,
} from '../ids.ts';
import type { AccessDataSource } from '../permission/access-data-source-interface.ts';
import { decidePermission, resolveTrustedTime } from '../permission/decide.ts';
import { type PermissionDecision, notFoundDecisions, type UntrustedTimePolicy } from '../permission/decision-types.ts';
import { decideCompiledPermission } from './decide-compiled-permission.ts';
import { CompiledGadgetActions } from './compiled-gadget-actions.ts';
import { MemberGroupNumbers } from './member-group-numbers.ts';
import { NO_RECORD_NUMBER } from './keyed-records.ts';
import { type CredentialMatch, MemberCredentialIndex } from './member-credentials.ts';
import { checkImage, MEMBER_IMAGE_FORMAT, MemberImageReader, type MemberImageSection } from './member-image.ts';
import { MemberTable } from './member-table.ts';

export interface AccessSnapshot {
  readonly sites: Iterable<Site>;
  readonly gadgets: Iterable<Gadget>;
  readonly schedules: Iterable<Schedule>;
  readonly member_groups: Iterable<MemberGroup>;
  readonly members: Iterable<Member>;
}

/** A changed object, or the id of a removed one. */
export type AccessIndexChange =
  | { readonly type: 'site'; readonly put: Site }
  | { readonly type: 'site'; readonly remove: SiteId }
  | { readonly type: 'gadget'; readonly put: Gadget }
  | { readonly type: 'gadget'; readonly remove: GadgetId }
  | { readonly type: 'schedule'; readonly put: Schedule }
  | { readonly type: 'schedule'; readonly remove: ScheduleId }
  | { readonly type: 'member_group'; readonly put: MemberGroup }
  | { readonly type: 'member_group'; readonly remove: MemberGroupId }
  | { readonly type: 'member'; readonly put: Member }
  | { readonly type: 'member'; readonly remove: MemberId };

const keep = <Id, T extends { readonly id: Id }>(
  kept: Map<Id, T>,
  change: { readonly put: T } | { readonly remove: Id },
): void => {
  if ('put' in change) kept.set(change.put.id, change.put);
  else kept.delete(change.remove);
};

/**
 * In-memory index for immediate decisions on controllers and the bridge: built from a snapshot and updated by changes.
 * Members and credentials are in typed arrays, about 250 bytes each; sites, gadgets, schedules and groups are few.
 */
export class AccessIndex implements AccessDataSource {
  readonly #sites = new Map<SiteId, Site>();
  readonly #gadgets = new Map<GadgetId, Gadget>();
  readonly #schedules = new Map<ScheduleId, Schedule>();
  readonly #groups = new MemberGroupNumbers();
  readonly #members = new MemberTable(this.#groups);
  readonly #credentials = new MemberCredentialIndex(this.#members);
  readonly #doors = new CompiledGadgetActions(this, this.#groups);
  readonly #compiled = { members: this.#members, doors: this.#doors };

  constructor(snapshot: AccessSnapshot) {
    for (const put of snapshot.sites) this.apply({ type: 'site', put });
    for (const put of snapshot.gadgets) this.apply({ type: 'gadget', put });
    for (const put of snapshot.schedules) this.apply({ type: 'schedule', put });
    for (const put of snapshot.member_groups) this.apply({ type: 'member_group', put });
    for (const member of snapshot.members) this.#putMember(member);
  }

  apply(change: AccessIndexChange): void {
    if (change.type === 'member') {
      if ('put' in change) this.#putMember(change.put);
      else this.#removeMember(change.remove);
      return;
    }
    this.#doors.forget();
    switch (change.type) {
      case 'site':
        return keep(this.#sites, change);
      case 'gadget':
        return keep(this.#gadgets, change);
      case 'schedule':
        return keep(this.#schedules, change);
      case 'member_group':
        return 'put' in change ? this.#groups.put(change.put) : this.#groups.remove(change.remove);
    }
  }

  /** Number of members, including deleted ones. */
  get memberCount(): number {
    return this.#members.size;
  }

  /**
   * Everything about members, in parts that refer to the memory of the index: nothing is copied, so the index must not
   * change before the last part is used.
   */
  *exportMembers(): Generator<MemberImageSection> {
    yield Uint32Array.of(MEMBER_IMAGE_FORMAT);
    for (const part of this.#memberParts) yield* part.export();
  }

  /**
   * Takes over the parts of `exportMembers`. Only for a new index. Throws a MemberImageError if their lengths do not
   * match; the index is unusable then. Does not check the contents: an image needs a MAC.
   */
  importMembers(sections: Iterable<MemberImageSection>): void {
    checkImage(this.memberCount === 0, 'There are members already');
    const image = new MemberImageReader(sections);
    checkImage(image.counts(1)[0] === MEMBER_IMAGE_FORMAT, 'Another format');
    for (const part of this.#memberParts) part.import(image);
    image.end();
  }

  get #memberParts() {
    return [this.#groups, this.#members, this.#credentials];
  }

  site(id: SiteId): Site | undefined {
    return this.#sites.get(id);
  }

  gadget(id: GadgetId): Gadget | undefined {
    return this.#gadgets.get(id);
  }

  schedule(id: ScheduleId): Schedule | undefined {
    return this.#schedules.get(id);
  }

  memberGroup(id: MemberGroupId): MemberGroup | undefined {
    return this.#groups.get(id);
  }

  /** Builds a new object with each call. */
  member(id: MemberId): Member | undefined {
    const record = this.#members.find(id);
    if (record === NO_RECORD_NUMBER) return undefined;
    return { ...this.#members.read(record), ...this.#credentials.read(record) };
  }

  #putMember(member: Member): void {
    const known = this.#members.find(member.id);
    if (known !== NO_RECORD_NUMBER) this.#empty(known);
    const record = known === NO_RECORD_NUMBER ? this.#members.add(member.id) : known;
    this.#members.fill(record, member);
    this.#credentials.fill(record, member);
  }

  #removeMember(id: MemberId): void {
    const record = this.#members.find(id);
    if (record === NO_RECORD_NUMBER) return;
    this.#empty(record);
    this.#members.remove(record);
  }

  #empty(record: number): void {
    this.#credentials.clear(record);
    this.#members.clearAssociations(record);
  }

  findPin(digest: string): CredentialMatch<MemberPinId> | null {
    return this.#credentials.find('pin', digest);
  }

  findCard(digest: string): CredentialMatch<MemberCardId> | null {
    return this.#credentials.find('card', digest);
  }

  findToken(publicKey: string): CredentialMatch<MemberTokenId> | null {
    return this.#credentials.find('token', publicKey);
  }

  findMagicLink(digest: string): CredentialMatch<MemberMagicLinkId> | null {
    return this.#credentials.find('magic_link', digest);
  }

  /** Whether a member has this PIN, regardless of validity. */
  isPinKnown(digest: string): boolean {
    return this.#credentials.has('pin', digest);
  }

  /** Whether this is a known PIN, and a longer PIN of the organization begins with its digits. */
  isPinExtended(digest: string): boolean {
    return this.#credentials.isExtendedPin(digest);
  }

  decide(request: AccessRequest, untrusted: UntrustedTimePolicy = 'refuse'): PermissionDecision {
    const door = this.#doors.find(request.gadget_id, request.action_id);
    if (door === null) return this.#doors.missing(request.gadget_id);
    const member = this.#members.find(request.member_id);
    if (member === NO_RECORD_NUMBER) return notFoundDecisions.member;
    const now = resolveTrustedTime(request, untrusted);
    return (
      decideCompiledPermission(this.#compiled, member, door, request, now) ?? decidePermission(this, request, untrusted)
    );
  }
}
