const isControl = (character: string): boolean => {
  const code = character.codePointAt(0)!;
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
};

/** Replaces control characters, because the text of a bundle is not trusted. */
export const replaceControlCharacters = (text: string): string =>
  Array.from(text, character => (isControl(character) ? '\uFFFD' : character)).join('');
