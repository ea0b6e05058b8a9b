import type {
  CardCredential,
  MagicLinkCredential,
  Member,
  PinCredential,
  MemberTokenCredential,
} from '../access-data-types.ts';
import type { MemberCardId, MemberId, MemberMagicLinkId, MemberPinId, MemberTokenId } from '../ids.ts';
import { type IndexedCredential, type IndexedCredentialKind, CredentialTable } from './credential-table.ts';
import { NO_RECORD_NUMBER } from './keyed-records.ts';
import type { MemberImageReader, MemberImageSection } from './member-image.ts';
import type { MemberTable } from './member-table.ts';

/** The member and the credential for a digest. */
export interface CredentialMatch<Id> {
  readonly member_id: MemberId;
  readonly credential_id: Id;
}

type IdOf = { pin: MemberPinId; card: MemberCardId; token: MemberTokenId; magic_link: MemberMagicLinkId };
type Credentials = Pick<Member, 'pins' | 'cards' | 'tokens' | 'magic_links'>;

const listed = ({ pins, cards, tokens, magic_links = [] }: Credentials): readonly IndexedCredential[] => [
  ...pins.map(({ id, digest, extended = false }) => ({ kind: 'pin', id, digest, isExtended: extended }) as const),
  ...cards.map(({ id, digest }) => ({ kind: 'card', id, digest, isExtended: false }) as const),
  ...tokens.map(({ id, public_key }) => ({ kind: 'token', id, digest: public_key, isExtended: false }) as const),
  ...magic_links.map(({ id, digest }) => ({ kind: 'magic_link', id, digest, isExtended: false }) as const),
];

/** The credentials of all members: a linked list per member that starts in the member's record. */
export class MemberCredentialIndex {
  readonly #members: MemberTable;
  readonly #table = new CredentialTable();

  constructor(members: MemberTable) {
    this.#members = members;
  }

  fill(member: number, credentials: Credentials): void {
    const first = listed(credentials).reduceRight(
      (next, credential) => this.#table.add(credential, member, next),
      NO_RECORD_NUMBER,
    );
    this.#members.setFirstCredential(member, first);
  }

  clear(member: number): void {
    for (const credential of this.#chain(member)) this.#table.remove(credential);
    this.#members.setFirstCredential(member, NO_RECORD_NUMBER);
  }

  #chain(member: number): readonly number[] {
    const chain: number[] = [];
    for (let at = this.#members.firstCredential(member); at !== NO_RECORD_NUMBER; at = this.#table.next(at))
      chain.push(at);
    return chain;
  }

  read(member: number): Credentials {
    const pins: PinCredential[] = [];
    const cards: CardCredential[] = [];
    const tokens: MemberTokenCredential[] = [];
    const magic_links: MagicLinkCredential[] = [];
    for (const record of this.#chain(member)) {
      const { kind, id, digest, isExtended } = this.#table.read(record);
      if (kind === 'card') cards.push({ id: id as MemberCardId, digest });
      else if (kind === 'token') tokens.push({ id: id as MemberTokenId, public_key: digest });
      else if (kind === 'magic_link') magic_links.push({ id: id as MemberMagicLinkId, digest });
      else pins.push({ id: id as MemberPinId, digest, ...(isExtended ? { extended: true } : {}) });
    }
    return { pins, cards, tokens, ...(magic_links.length === 0 ? {} : { magic_links }) };
  }

  export(): Iterable<MemberImageSection> {
    return this.#table.export();
  }

  import(image: MemberImageReader): void {
    this.#table.import(image);
  }

  has(kind: IndexedCredentialKind, digest: string): boolean {
    return this.#table.find(kind, digest) !== NO_RECORD_NUMBER;
  }

  isExtendedPin(digest: string): boolean {
    return this.#all('pin', digest).some(record => this.#table.isExtended(record));
  }

  #all(kind: IndexedCredentialKind, digest: string): readonly number[] {
    const records: number[] = [];
    let record = this.#table.find(kind, digest);
    for (; record !== NO_RECORD_NUMBER; record = this.#table.findAnother(record)) records.push(record);
    return records;
  }

  find<K extends IndexedCredentialKind>(kind: K, digest: string): CredentialMatch<IdOf[K]> | null {
    const [first, ...others] = this.#all(kind, digest);
    if (first === undefined) return null;
    const best = others.reduce((chosen, other) => (this.#comesBefore(other, chosen) ? other : chosen), first);
    return {
      member_id: this.#members.id(this.#table.member(best)),
      credential_id: this.#table.id(best) as IdOf[K],
    };
  }

  /**
   * A deleted member's PIN may belong to another member by now, and changes may arrive in any order. Members that are
   * not deleted come first, then the order of ids decides, so that the result does not depend on the order of
   * insertion.
   */
  #comesBefore(a: number, b: number): boolean {
    const [memberA, memberB] = [this.#table.member(a), this.#table.member(b)];
    const [deletedA, deletedB] = [this.#members.isDeleted(memberA), this.#members.isDeleted(memberB)];
    if (deletedA !== deletedB) return deletedB;
    if (memberA !== memberB) return this.#members.id(memberA) < this.#members.id(memberB);
    return this.#table.id(a) < this.#table.id(b);
  }
}
