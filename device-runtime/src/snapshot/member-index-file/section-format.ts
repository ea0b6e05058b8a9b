import type { MemberImageSection } from '@lintel/access-core/access-index/member-image';

/*
 * A file is a sequence of sections. Each begins with two words, the kind and the length of its content in bytes. Words
 * have the byte order of the processor, because the file is only used by the machine that wrote it.
 */

const WORDS = 1;
const TEXTS = 2;

export const SECTION_HEADER_WORDS = 2;

/** Content of a section as it is in the file; not verified. */
export interface RawSection {
  readonly kind: number;
  readonly content: Buffer;
}

export const viewBytes = (words: Uint32Array): Uint8Array =>
  new Uint8Array(words.buffer, words.byteOffset, words.byteLength);

/** The header and the content. The content of words is the memory of the index, not a copy. */
export const encodeSection = (section: MemberImageSection): readonly [Uint8Array, Uint8Array] => {
  const isWords = section instanceof Uint32Array;
  const content = isWords ? viewBytes(section) : Buffer.from(JSON.stringify(section));
  return [viewBytes(Uint32Array.of(isWords ? WORDS : TEXTS, content.byteLength)), content];
};

/**
 * A buffer of its own for each section, so that a table can replace one and free its memory. `mostBytes`: what the file
 * still contains.
 */
export const allocateSection = (header: Uint32Array, mostBytes: number): RawSection => {
  const [kind = 0, length = 0] = header;
  if (length > mostBytes) throw new Error('The file is too short');
  return { kind, content: Buffer.allocUnsafeSlow(length) };
};

/** Only for the content of a verified file. */
export const decodeSection = ({ kind, content }: RawSection): MemberImageSection => {
  if (kind === WORDS) return new Uint32Array(content.buffer);
  if (kind === TEXTS) return JSON.parse(content.toString()) as readonly string[];
  throw new Error(`Unknown section kind: ${kind}`);
};
