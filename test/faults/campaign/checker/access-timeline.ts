import { type AccessChange, AccessModel, revokedMember } from './access-model.ts';
import type { WriteRecord } from './round-history-types.ts';

interface Flip {
  readonly version: number;
  readonly isAllowed: boolean;
}

/** What the model allows after each write. Version 0 is before the first write. */
export class AccessTimeline {
  readonly #flips = new Map<string, Flip[]>();
  readonly #issued: readonly number[];
  readonly #revocations = new Map<string, number[]>();
  readonly #owners = new Map<string, string>();

  constructor(initial: readonly AccessChange[], writes: readonly WriteRecord[], doors: readonly string[]) {
    const cards = new Set<string>();
    for (const change of [...initial, ...writes.map(write => write.change)]) {
      if (change.kind !== 'card') continue;
      cards.add(change.card);
      this.#owners.set(change.card, change.member);
    }
    const model = new AccessModel(initial);
    const record = (version: number): void => {
      for (const card of cards) for (const door of doors) this.#record(card, door, version, model.allows(card, door));
    };
    record(0);
    for (const [index, { change }] of writes.entries()) {
      model.apply(change);
      record(index + 1);
      const member = revokedMember(change);
      if (member !== null) this.#revocations.set(member, [...(this.#revocations.get(member) ?? []), index + 1]);
    }
    this.#issued = writes.map(({ issuedAt }) => issuedAt);
  }

  #record(card: string, door: string, version: number, isAllowed: boolean): void {
    const key = `${card} ${door}`;
    const flips = this.#flips.get(key) ?? [];
    if (flips.at(-1)?.isAllowed !== isAllowed) flips.push({ version, isAllowed });
    this.#flips.set(key, flips);
  }

  /** The newest version that can have taken effect at this time. */
  newestAt(time: number): number {
    const later = this.#issued.findIndex(issuedAt => issuedAt > time);
    return later === -1 ? this.#issued.length : later;
  }

  /** The first version from `from` on with this permission. Null: there is none. A card that never existed opens nothing. */
  first(card: string, door: string, isAllowed: boolean, from: number): number | null {
    const flips = this.#flips.get(`${card} ${door}`) ?? [{ version: 0, isAllowed: false }];
    const current = flips.findLast(({ version }) => version <= from);
    if (current?.isAllowed === isAllowed) return from;
    return flips.find(flip => flip.version > from && flip.isAllowed === isAllowed)?.version ?? null;
  }

  /** A revocation of the member of this card took effect after `from` and up to `to`. */
  hasRevocation(card: string, from: number, to: number): boolean {
    const versions = this.#revocations.get(this.#owners.get(card) ?? '') ?? [];
    return versions.some(version => version > from && version <= to);
  }
}
