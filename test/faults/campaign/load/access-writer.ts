import type { SeededRandom } from '../../../support/seeded-random.ts';
import { type AccessChange, AccessModel } from '../checker/access-model.ts';
import type { WriteRecord } from '../checker/round-history-types.ts';
import type { ApiClient, ResponseObject } from './retrying-api-client.ts';

const GROUPS = 4;
const FEWEST_MEMBERS = 8;
export const MOST_MEMBERS = 24;
const FUTURE = '2099-01-01T00:00:00Z';

/** Changes members and permissions, one after another, and keeps what was acknowledged. */
export class AccessWriter {
  readonly model = new AccessModel();
  /** All cards that ever existed, newest last. */
  readonly cards: string[] = [];
  writes: WriteRecord[] = [];
  readonly #api: ApiClient;
  readonly #doors: readonly string[];
  readonly #random: SeededRandom;
  readonly #cardIds = new Map<string, string>();

  constructor(api: ApiClient, doors: readonly string[], random: SeededRandom) {
    this.#api = api;
    this.#doors = doors;
    this.#random = random;
  }

  async #write(
    method: string,
    path: string,
    body: object | undefined,
    changeOf: (answer: ResponseObject | null) => AccessChange,
  ): Promise<void> {
    const issuedAt = Date.now();
    const change = changeOf(await this.#api.call(method, path, body));
    this.writes.push({ issuedAt, change });
    this.model.apply(change);
  }

  async createGroupsAndMembers(members = FEWEST_MEMBERS): Promise<void> {
    for (let index = 0; index < GROUPS; index++) {
      const doors = this.#someDoors();
      const body = { name: `Group ${index}`, permissions: doors.map(gadget_id => ({ gadget_id })) };
      const created = await this.#api.call('POST', '/member_groups', body);
      this.model.apply({ kind: 'permissions', group: created!.id, doors });
    }
    while (this.model.members.size < members) await this.#createMember();
  }

  /** One change, or the few that make a new member. */
  async changeSomething(): Promise<void> {
    const members = [...this.model.members.keys()];
    if (members.length < FEWEST_MEMBERS) return this.#createMember();
    const member = this.#random.pick(members);
    const roll = this.#random.next();
    if (roll < 0.25 && members.length < MOST_MEMBERS) return this.#createMember();
    if (roll < 0.4)
      return this.#write('DELETE', `/members/${member}`, undefined, () => ({ kind: 'member_deleted', member }));
    if (roll < 0.55) return this.#togglePostponed(member);
    if (roll < 0.7) return this.#changePermissions();
    if (roll < 0.8) return this.#associate(member);
    return this.#removePart(member);
  }

  #someDoors(): string[] {
    return this.#doors.filter(() => this.#random.chance(0.5));
  }

  async #createMember(): Promise<void> {
    let member = '';
    await this.#write('POST', '/members', { name: 'Guest' }, created => {
      member = created!.id;
      return { kind: 'member', member };
    });
    await this.#associate(member);
    const uid = `04${Math.floor(this.#random.next() * 2 ** 47)
      .toString(16)
      .padStart(12, '0')}`;
    await this.#write('POST', `/members/${member}/cards`, { uid }, created => {
      this.#cardIds.set(uid, created!.id);
      this.cards.push(uid);
      return { kind: 'card', member, card: uid };
    });
  }

  #associate(member: string): Promise<void> {
    const group = this.#random.pick([...this.model.permissions.keys()]);
    return this.#write('POST', `/members/${member}/group_associations`, { member_group_id: group }, created => ({
      kind: 'association',
      member,
      group,
      association: created!.id,
    }));
  }

  #togglePostponed(member: string): Promise<void> {
    const isPostponed = !this.model.members.get(member)!.isPostponed;
    const body = { starts_at: isPostponed ? FUTURE : null };
    return this.#write('PATCH', `/members/${member}`, body, () => ({ kind: 'member_postponed', member, isPostponed }));
  }

  #changePermissions(): Promise<void> {
    const group = this.#random.pick([...this.model.permissions.keys()]);
    const doors = this.#someDoors();
    const body = { permissions: doors.map(gadget_id => ({ gadget_id })) };
    return this.#write('PATCH', `/member_groups/${group}`, body, () => ({ kind: 'permissions', group, doors }));
  }

  async #removePart(member: string): Promise<void> {
    const { cards, groups } = this.model.members.get(member)!;
    const [card] = cards;
    const [association] = groups.keys();
    if (card !== undefined && this.#random.chance(0.5))
      return this.#write('DELETE', `/members/${member}/cards/${this.#cardIds.get(card)!}`, undefined, () => ({
        kind: 'card_deleted',
        member,
        card,
      }));
    if (association === undefined) return;
    return this.#write('DELETE', `/members/${member}/group_associations/${association}`, undefined, () => ({
      kind: 'association_deleted',
      member,
      association,
    }));
  }

  /** Differences between the API and what it has acknowledged. */
  async findLostWrites(): Promise<string[]> {
    const lost: string[] = [];
    const stored = await this.#api.list('/members?expand=cards,group_associations');
    for (const { id } of stored) if (!this.model.members.has(id)) lost.push(`${id} was deleted`);
    for (const [id, { isPostponed, cards, groups }] of this.model.members) {
      const found = stored.find(member => member.id === id);
      const uids = ((found?.['cards'] ?? []) as readonly { uid: string }[]).map(({ uid }) => uid);
      const associations = ((found?.['group_associations'] ?? []) as readonly ResponseObject[]).map(one => one.id);
      const expected = JSON.stringify([isPostponed, [...cards].toSorted(), [...groups.keys()].toSorted()]);
      const actual = JSON.stringify([found?.['starts_at'] != null, uids.toSorted(), associations.toSorted()]);
      if (found === undefined || actual !== expected) lost.push(`${id}: ${actual} instead of ${expected}`);
    }
    for (const group of await this.#api.list('/member_groups?sort=created_at:asc')) {
      const doors = (group['permissions'] as readonly { gadget_id: string }[]).map(({ gadget_id }) => gadget_id);
      const expected = this.model.permissions.get(group.id) ?? [];
      if (doors.toSorted().join() !== expected.toSorted().join()) lost.push(`permissions of ${group.id}`);
    }
    return lost;
  }
}
