const NOWHERE = 'http://nowhere.invalid';

/** A path on this server to go back to; null for everything that could lead a browser elsewhere. */
export const localPath = (text: string): string | null => {
  if (!text.startsWith('/') || !/^[\x21-\x7e]*$/.test(text) || text.includes('\\')) return null;
  if (!URL.canParse(text, NOWHERE)) return null;
  const { origin, pathname, search } = new URL(text, NOWHERE);
  return origin === NOWHERE && !pathname.startsWith('//') ? pathname + search : null;
};
