import { idPrefixes, type MemberCardId, type MemberMagicLinkId, type MemberPinId, type MemberTokenId } from '../ids.ts';
import { KeyedRecords, NO_RECORD_NUMBER } from './keyed-records.ts';
import { DIGEST_WORDS, DigestPacker } from './digest-packer.ts';
import { ID_WORDS, IdPacker } from './id-packer.ts';
import type { MemberImageReader, MemberImageSection } from './member-image.ts';

export type IndexedCredentialKind = 'pin' | 'card' | 'token' | 'magic_link';
export type CredentialId = MemberPinId | MemberCardId | MemberTokenId | MemberMagicLinkId;

export interface IndexedCredential {
  readonly kind: IndexedCredentialKind;
  readonly id: CredentialId;
  /** For a token, its public key. */
  readonly digest: string;
  /** Only for a PIN: another PIN begins with its digits. */
  readonly isExtended: boolean;
}

/* words 0-8 digest | 9-12 id | 13 member | 14 next credential of the member | 15 whether a PIN is extended */
const ID = DIGEST_WORDS;
const MEMBER = ID + ID_WORDS;
const NEXT = MEMBER + 1;
const EXTENDED = NEXT + 1;
const RECORD_WORDS = EXTENDED + 1;

const kinds: readonly IndexedCredentialKind[] = ['pin', 'card', 'token', 'magic_link'];

/** Credentials of all kinds, indexed by digest; each links to its member and the member's next credential. */
export class CredentialTable {
  readonly #records = new KeyedRecords(DIGEST_WORDS, RECORD_WORDS);
  readonly #digests = new DigestPacker();
  readonly #key = new Uint32Array(DIGEST_WORDS);
  readonly #ids = {
    pin: new IdPacker<CredentialId>(idPrefixes.member_pin),
    card: new IdPacker<CredentialId>(idPrefixes.member_card),
    token: new IdPacker<CredentialId>(idPrefixes.member_token),
    magic_link: new IdPacker<CredentialId>(idPrefixes.member_magic_link),
  };

  #word(record: number, field: number): number {
    return this.#records.words(record)[this.#records.offset(record) + field]!;
  }

  find(kind: IndexedCredentialKind, digest: string): number {
    return this.#digests.writeForLookup(kinds.indexOf(kind), digest, this.#key)
      ? this.#records.find(this.#key)
      : NO_RECORD_NUMBER;
  }

  /** Another credential of the same kind with the same digest. */
  findAnother(record: number): number {
    const at = this.#records.offset(record);
    this.#key.set(this.#records.words(record).subarray(at, at + DIGEST_WORDS));
    return this.#records.findAfter(this.#key, record);
  }

  isExtended(record: number): boolean {
    return this.#word(record, EXTENDED) === 1;
  }

  #kind(record: number): IndexedCredentialKind {
    return kinds[this.#digests.subject(this.#records.words(record), this.#records.offset(record))]!;
  }

  id(record: number): CredentialId {
    return this.#ids[this.#kind(record)].read(this.#records.words(record), this.#records.offset(record) + ID);
  }

  member(record: number): number {
    return this.#word(record, MEMBER);
  }

  next(record: number): number {
    return this.#word(record, NEXT) - 1;
  }

  add({ kind, id, digest, isExtended }: IndexedCredential, member: number, next: number): number {
    this.#digests.write(kinds.indexOf(kind), digest, this.#key);
    const record = this.#records.add(this.#key);
    const words = this.#records.words(record);
    const at = this.#records.offset(record);
    this.#ids[kind].write(id, words, at + ID);
    words[at + MEMBER] = member;
    words[at + NEXT] = next + 1;
    words[at + EXTENDED] = isExtended ? 1 : 0;
    return record;
  }

  remove(record: number): void {
    const words = this.#records.words(record);
    const at = this.#records.offset(record);
    this.#ids[this.#kind(record)].release(words, at + ID);
    this.#records.remove(record);
    this.#digests.release(words, at);
  }

  read(record: number): IndexedCredential {
    return {
      kind: this.#kind(record),
      id: this.id(record),
      digest: this.#digests.read(this.#records.words(record), this.#records.offset(record)),
      isExtended: this.isExtended(record),
    };
  }

  get #parts() {
    return [this.#records, this.#digests, ...Object.values(this.#ids)];
  }

  *export(): Generator<MemberImageSection> {
    for (const part of this.#parts) yield* part.export();
  }

  import(image: MemberImageReader): void {
    for (const part of this.#parts) part.import(image);
  }
}
