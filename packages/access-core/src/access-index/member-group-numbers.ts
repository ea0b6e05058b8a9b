import type { MemberGroup } from '../access-data-types.ts';
import type { MemberGroupId } from '../ids.ts';
import { checkImage, exportTexts, type MemberImageReader, type MemberImageSection } from './member-image.ts';

interface Entry {
  readonly id: MemberGroupId;
  group: MemberGroup | undefined;
  associations: number;
}

/**
 * Assigns small numbers to member groups. An association may arrive before its group and outlive it, so a number is
 * freed only when both are gone.
 */
export class MemberGroupNumbers {
  readonly #numbers = new Map<MemberGroupId, number>();
  readonly #entries: (Entry | undefined)[] = [];
  readonly #free: number[] = [];

  #numberFor(id: MemberGroupId): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.#free.pop() ?? this.#entries.length;
    this.#numbers.set(id, number);
    this.#entries[number] = { id, group: undefined, associations: 0 };
    return number;
  }

  #dropIfUnused(number: number): void {
    const entry = this.#entries[number]!;
    if (entry.group !== undefined || entry.associations > 0) return;
    this.#numbers.delete(entry.id);
    this.#entries[number] = undefined;
    this.#free.push(number);
  }

  retain(id: MemberGroupId): number {
    const number = this.#numberFor(id);
    this.#entries[number]!.associations++;
    return number;
  }

  release(number: number): void {
    this.#entries[number]!.associations--;
    this.#dropIfUnused(number);
  }

  put(group: MemberGroup): void {
    this.#entries[this.#numberFor(group.id)]!.group = group;
  }

  remove(id: MemberGroupId): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    this.#entries[number]!.group = undefined;
    this.#dropIfUnused(number);
  }

  get(id: MemberGroupId): MemberGroup | undefined {
    const number = this.#numbers.get(id);
    return number === undefined ? undefined : this.#entries[number]!.group;
  }

  id(number: number): MemberGroupId {
    return this.#entries[number]!.id;
  }

  /** Also undefined if the group is deleted. */
  living(number: number): MemberGroup | undefined {
    const group = this.#entries[number]!.group;
    return group === undefined || group.is_deleted ? undefined : group;
  }

  /** The numbers that associations use; without the groups themselves. */
  *export(): Generator<MemberImageSection> {
    yield Uint32Array.from(this.#entries, entry => entry?.associations ?? 0);
    yield* exportTexts(this.#entries.map(entry => entry?.id ?? ''));
  }

  /** Only if there are no groups yet. */
  import(image: MemberImageReader): void {
    checkImage(this.#entries.length === 0, 'There are groups already');
    const associations = image.words();
    for (const [number, text] of image.texts(associations.length).entries()) {
      const id = text as MemberGroupId;
      const count = associations[number]!;
      this.#entries.push(count === 0 ? undefined : { id, group: undefined, associations: count });
      if (count === 0) this.#free.push(number);
      else this.#numbers.set(id, number);
    }
    checkImage(this.#numbers.size + this.#free.length === this.#entries.length, 'A group occurs twice');
  }
}
