/** Letters that Unicode does not decompose into a base letter and an accent. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
};

/** Longer words are found by their first 40 letters. */
const beginning = /^.{1,40}/u;

/** The words of a text without case and accents, by which it is found. Anything but letters and digits separates words. */
export const extractSearchTerms = (text: string): string[] => {
  const folded = text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþħı]/g, letter => plainLetters[letter]!);
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map(word => beginning.exec(word)![0]))];
};

interface SearchableMember {
  readonly name: string;
  /** JSON with texts as values. */
  readonly metadata: string;
  readonly emails: readonly string[];
}

/** The words by which a member is found: those of the name, the email addresses and the metadata values. */
export const extractMemberSearchTerms = ({ name, metadata, emails }: SearchableMember): string[] =>
  extractSearchTerms([name, ...emails, ...Object.values(JSON.parse(metadata) as object)].join(' '));
