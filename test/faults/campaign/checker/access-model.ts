/** A change that the API has accepted. Ids are those of the API; a card is named by its uid, a door by its gadget id. */
export type AccessChange =
  | { readonly kind: 'member'; readonly member: string }
  | { readonly kind: 'member_deleted'; readonly member: string }
  | { readonly kind: 'member_postponed'; readonly member: string; readonly isPostponed: boolean }
  | { readonly kind: 'card'; readonly member: string; readonly card: string }
  | { readonly kind: 'card_deleted'; readonly member: string; readonly card: string }
  | { readonly kind: 'association'; readonly member: string; readonly association: string; readonly group: string }
  | { readonly kind: 'association_deleted'; readonly member: string; readonly association: string }
  | { readonly kind: 'permissions'; readonly group: string; readonly doors: readonly string[] };

const revocations: ReadonlySet<AccessChange['kind']> = new Set([
  'member_deleted',
  'member_postponed',
  'card_deleted',
  'association_deleted',
]);

/** The member whose access a change withdraws. Controllers apply revocations ahead of earlier changes. */
export const revokedMember = (change: AccessChange): string | null =>
  revocations.has(change.kind) && 'member' in change ? change.member : null;

interface ModelMember {
  isPostponed: boolean;
  readonly cards: Set<string>;
  /** Group by association. */
  readonly groups: Map<string, string>;
}

/** Who may open which door. Written for the checker alone, so that a defect of the access rules does not hide itself. */
export class AccessModel {
  readonly members = new Map<string, ModelMember>();
  readonly permissions = new Map<string, readonly string[]>();

  constructor(changes: readonly AccessChange[] = []) {
    for (const change of changes) this.apply(change);
  }

  apply(change: AccessChange): void {
    if (change.kind === 'permissions') return void this.permissions.set(change.group, change.doors);
    if (change.kind === 'member')
      return void this.members.set(change.member, { isPostponed: false, cards: new Set(), groups: new Map() });
    const member = this.members.get(change.member);
    if (member === undefined) return;
    if (change.kind === 'member_deleted') this.members.delete(change.member);
    else if (change.kind === 'member_postponed') member.isPostponed = change.isPostponed;
    else if (change.kind === 'card') member.cards.add(change.card);
    else if (change.kind === 'card_deleted') member.cards.delete(change.card);
    else if (change.kind === 'association') member.groups.set(change.association, change.group);
    else member.groups.delete(change.association);
  }

  memberOf(card: string): string | null {
    for (const [id, { cards }] of this.members) if (cards.has(card)) return id;
    return null;
  }

  allows(card: string, door: string): boolean {
    const id = this.memberOf(card);
    const member = id === null ? undefined : this.members.get(id);
    if (member === undefined || member.isPostponed) return false;
    return [...member.groups.values()].some(group => this.permissions.get(group)?.includes(door) === true);
  }

  /** The shortest list of changes that leads to this state. */
  toChanges(): AccessChange[] {
    const changes: AccessChange[] = [];
    for (const [group, doors] of this.permissions) changes.push({ kind: 'permissions', group, doors });
    for (const [member, { isPostponed, cards, groups }] of this.members) {
      changes.push({ kind: 'member', member }, { kind: 'member_postponed', member, isPostponed });
      for (const card of cards) changes.push({ kind: 'card', member, card });
      for (const [association, group] of groups) changes.push({ kind: 'association', member, association, group });
    }
    return changes;
  }
}
