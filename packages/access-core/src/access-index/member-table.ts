import type { GroupAssociation, Validity } from '../access-data-types.ts';
import { type GroupAssociationId, idPrefixes, type MemberId } from '../ids.ts';
import { instant } from '../instant.ts';
import type { MemberGroupNumbers } from './member-group-numbers.ts';
import { KeyedRecords } from './keyed-records.ts';
import { ID_WORDS, IdPacker } from './id-packer.ts';
import type { MemberImageReader, MemberImageSection } from './member-image.ts';
import { WordAllocator } from './word-allocator.ts';

/*
 * A member is one record of 64 bytes, a cache line: id, validity, and the groups of up to five associations. The ids
 * of the associations, needed for a grant only, are in a separate run.
 *
 * words 0-3 id | 4-5 starts_at | 6-7 ends_at | 8 flags and number of associations | 9 run | 10 first credential | 11-15 groups
 */
const STARTS_AT = 4;
const ENDS_AT = 6;
const STATE = 8;
const RUN = 9;
const FIRST_CREDENTIAL = 10;
const GROUPS = 11;
const RECORD_WORDS = 16;
const INLINE_GROUPS = RECORD_WORDS - GROUPS;

const DELETED = 1;
const COUNT_SHIFT = 1;

/** Flag in the group word: the association has its own validity, stored at the end of the run. */
const LIMITED = 0x80000000;
const VALIDITY_WORDS = 4;

export const hasAssociationOwnValidity = (association: number): boolean => (association & LIMITED) !== 0;

export const getMemberGroupNumber = (association: number): number => association & ~LIMITED;

const even = (words: number): number => words + (words & 1);

const hasBound = ({ starts_at, ends_at }: Validity): boolean => starts_at !== null || ends_at !== null;

/** Layout of a member's run: groups if they do not fit into the record, ids, and validities if there are any. */
const runLayout = (count: number, limited: boolean) => {
  const ids = count > INLINE_GROUPS ? even(count) : 0;
  const validities = ids + ID_WORDS * count;
  return { ids, validities, length: validities + (limited ? VALIDITY_WORDS * count : 0) };
};

const finite = (value: number): Validity['starts_at'] => (Number.isFinite(value) ? instant(value) : null);

export interface MemberFields extends Validity {
  readonly id: MemberId;
  readonly is_deleted: boolean;
  readonly group_associations: readonly GroupAssociation[];
}

/** Members and their associations in typed arrays, read without allocating objects. */
export class MemberTable {
  readonly #records = new KeyedRecords(ID_WORDS, RECORD_WORDS);
  readonly #runs = new WordAllocator();
  readonly #groups: MemberGroupNumbers;
  readonly #memberIds = new IdPacker<MemberId>(idPrefixes.member);
  readonly #associationIds = new IdPacker<GroupAssociationId>(idPrefixes.member_group_association);
  readonly #key = new Uint32Array(ID_WORDS);

  constructor(groups: MemberGroupNumbers) {
    this.#groups = groups;
  }

  get size(): number {
    return this.#records.size;
  }

  find(id: MemberId): number {
    return this.#memberIds.writeForLookup(id, this.#key, 0) ? this.#records.find(this.#key) : -1;
  }

  add(id: MemberId): number {
    this.#memberIds.write(id, this.#key, 0);
    return this.#records.add(this.#key);
  }

  /** Requires that the member's associations were cleared. */
  remove(record: number): void {
    this.#memberIds.release(this.#records.words(record), this.#records.offset(record));
    this.#records.remove(record);
  }

  #word(record: number, field: number): number {
    return this.#records.words(record)[this.#records.offset(record) + field]!;
  }

  #setWord(record: number, field: number, value: number): void {
    this.#records.words(record)[this.#records.offset(record) + field] = value;
  }

  id(record: number): MemberId {
    return this.#memberIds.read(this.#records.words(record), this.#records.offset(record));
  }

  isDeleted(record: number): boolean {
    return (this.#word(record, STATE) & DELETED) !== 0;
  }

  /** -Infinity when unbounded. */
  startsAt(record: number): number {
    return this.#records.floats(record)[(this.#records.offset(record) + STARTS_AT) >>> 1]!;
  }

  /** Infinity when unbounded. */
  endsAt(record: number): number {
    return this.#records.floats(record)[(this.#records.offset(record) + ENDS_AT) >>> 1]!;
  }

  associationCount(record: number): number {
    return this.#word(record, STATE) >>> COUNT_SHIFT;
  }

  /** An association in one word; read it with `getMemberGroupNumber` and `hasAssociationOwnValidity`. */
  association(record: number, index: number): number {
    const words = this.#records.words(record);
    const at = this.#records.offset(record);
    if (words[at + STATE]! >>> COUNT_SHIFT <= INLINE_GROUPS) return words[at + GROUPS + index]!;
    const run = words[at + RUN]!;
    return this.#runs.words(run)[this.#runs.offset(run) + index]!;
  }

  /** Only for an association with its own validity; -Infinity and Infinity if unbounded. */
  #associationBound(record: number, index: number, bound: 0 | 1): number {
    const run = this.#word(record, RUN);
    const at = this.#runs.offset(run) + runLayout(this.associationCount(record), true).validities;
    return this.#runs.floats(run)[(at >>> 1) + 2 * index + bound]!;
  }

  associationStartsAt(record: number, index: number): number {
    return this.#associationBound(record, index, 0);
  }

  associationEndsAt(record: number, index: number): number {
    return this.#associationBound(record, index, 1);
  }

  associationId(record: number, index: number): GroupAssociationId {
    const run = this.#word(record, RUN);
    const ids = this.#runs.offset(run) + runLayout(this.associationCount(record), false).ids;
    return this.#associationIds.read(this.#runs.words(run), ids + ID_WORDS * index);
  }

  firstCredential(record: number): number {
    return this.#word(record, FIRST_CREDENTIAL) - 1;
  }

  setFirstCredential(record: number, credential: number): void {
    this.#setWord(record, FIRST_CREDENTIAL, credential + 1);
  }

  /** Writes everything except credentials into a record without associations. */
  fill(record: number, member: MemberFields): void {
    const associations = member.group_associations;
    const floats = this.#records.floats(record);
    const at = this.#records.offset(record);
    floats[(at + STARTS_AT) >>> 1] = member.starts_at ?? Number.NEGATIVE_INFINITY;
    floats[(at + ENDS_AT) >>> 1] = member.ends_at ?? Number.POSITIVE_INFINITY;
    this.#setWord(record, STATE, (associations.length << COUNT_SHIFT) | (member.is_deleted ? DELETED : 0));
    if (associations.length > 0) this.#fillRun(record, associations);
  }

  #fillRun(record: number, associations: readonly GroupAssociation[]): void {
    const layout = runLayout(associations.length, associations.some(hasBound));
    const run = this.#runs.allocate(layout.length);
    this.#setWord(record, RUN, run);
    const words = this.#runs.words(run);
    const floats = this.#runs.floats(run);
    const start = this.#runs.offset(run);
    for (const [index, association] of associations.entries()) {
      const limited = hasBound(association);
      const group = (this.#groups.retain(association.member_group_id) | (limited ? LIMITED : 0)) >>> 0;
      if (associations.length > INLINE_GROUPS) words[start + index] = group;
      else this.#setWord(record, GROUPS + index, group);
      this.#associationIds.write(association.id, words, start + layout.ids + ID_WORDS * index);
      if (!limited) continue;
      const validity = ((start + layout.validities) >>> 1) + 2 * index;
      floats[validity] = association.starts_at ?? Number.NEGATIVE_INFINITY;
      floats[validity + 1] = association.ends_at ?? Number.POSITIVE_INFINITY;
    }
  }

  clearAssociations(record: number): void {
    const count = this.associationCount(record);
    if (count === 0) return;
    const run = this.#word(record, RUN);
    let limited = false;
    for (let index = 0; index < count; index++) {
      const association = this.association(record, index);
      limited ||= hasAssociationOwnValidity(association);
      this.#groups.release(getMemberGroupNumber(association));
    }
    const layout = runLayout(count, limited);
    const ids = this.#runs.offset(run) + layout.ids;
    for (let index = 0; index < count; index++)
      this.#associationIds.release(this.#runs.words(run), ids + ID_WORDS * index);
    this.#runs.free(run, layout.length);
    this.#setWord(record, STATE, 0);
  }

  read(record: number): MemberFields {
    const group_associations = Array.from({ length: this.associationCount(record) }, (_, index) => {
      const association = this.association(record, index);
      const limited = hasAssociationOwnValidity(association);
      return {
        id: this.associationId(record, index),
        member_group_id: this.#groups.id(getMemberGroupNumber(association)),
        starts_at: limited ? finite(this.associationStartsAt(record, index)) : null,
        ends_at: limited ? finite(this.associationEndsAt(record, index)) : null,
      };
    });
    return {
      id: this.id(record),
      is_deleted: this.isDeleted(record),
      starts_at: finite(this.startsAt(record)),
      ends_at: finite(this.endsAt(record)),
      group_associations,
    };
  }

  get #parts() {
    return [this.#records, this.#runs, this.#memberIds, this.#associationIds];
  }

  *export(): Generator<MemberImageSection> {
    for (const part of this.#parts) yield* part.export();
  }

  import(image: MemberImageReader): void {
    for (const part of this.#parts) part.import(image);
  }
}
