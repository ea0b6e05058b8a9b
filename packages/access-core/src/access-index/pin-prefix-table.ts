import { KeyedRecords, NO_RECORD_NUMBER } from './keyed-records.ts';
import { DIGEST_WORDS, DigestPacker } from './digest-packer.ts';
import type { MemberImageReader, MemberImageSection } from './member-image.ts';
import { WordAllocator } from './word-allocator.ts';

const HOLDERS = DIGEST_WORDS;
const RECORD_WORDS = HOLDERS + 1;
const PREFIX = 0;

const runLength = (count: number): number => count + 1 + ((count + 1) & 1);

/** Digests of the prefixes of known PINs, each stored once with a reference count. */
export class PinPrefixTable {
  readonly #records = new KeyedRecords(DIGEST_WORDS, RECORD_WORDS);
  readonly #digests = new DigestPacker();
  readonly #runs = new WordAllocator();
  readonly #key = new Uint32Array(DIGEST_WORDS);

  has(digest: string): boolean {
    return (
      this.#digests.writeForLookup(PREFIX, digest, this.#key) && this.#records.find(this.#key) !== NO_RECORD_NUMBER
    );
  }

  /** Adds the prefixes of one PIN; returns the run for releasing them. */
  retain(digests: readonly string[]): number {
    const run = this.#runs.allocate(runLength(digests.length));
    const words = this.#runs.words(run);
    const at = this.#runs.offset(run);
    words[at] = digests.length;
    for (const [index, digest] of digests.entries()) words[at + 1 + index] = this.#holdOne(digest);
    return run;
  }

  #holdOne(digest: string): number {
    this.#digests.write(PREFIX, digest, this.#key);
    const known = this.#records.find(this.#key);
    if (known !== NO_RECORD_NUMBER) this.#digests.release(this.#key, 0);
    const record = known === NO_RECORD_NUMBER ? this.#records.add(this.#key) : known;
    this.#records.words(record)[this.#records.offset(record) + HOLDERS]!++;
    return record;
  }

  #held(run: number): readonly number[] {
    const words = this.#runs.words(run);
    const at = this.#runs.offset(run);
    return [...words.subarray(at + 1, at + 1 + words[at]!)];
  }

  release(run: number): void {
    const held = this.#held(run);
    for (const record of held) {
      const words = this.#records.words(record);
      const at = this.#records.offset(record);
      if (--words[at + HOLDERS]! > 0) continue;
      this.#records.remove(record);
      this.#digests.release(words, at);
    }
    this.#runs.free(run, runLength(held.length));
  }

  read(run: number): readonly string[] {
    return this.#held(run).map(record => this.#digests.read(this.#records.words(record), this.#records.offset(record)));
  }

  *export(): Generator<MemberImageSection> {
    for (const part of [this.#records, this.#digests, this.#runs]) yield* part.export();
  }

  import(image: MemberImageReader): void {
    for (const part of [this.#records, this.#digests, this.#runs]) part.import(image);
  }
}
