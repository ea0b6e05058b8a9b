const PLACEHOLDER_ORIGIN = 'http://nowhere.invalid';

/** The text as a path on this server; null if a browser could follow it to another origin. */
export const toSameOriginPath = (text: string): string | null => {
  if (!text.startsWith('/') || !/^[\x21-\x7e]*$/.test(text) || text.includes('\\')) return null;
  if (!URL.canParse(text, PLACEHOLDER_ORIGIN)) return null;
  const { origin, pathname, search } = new URL(text, PLACEHOLDER_ORIGIN);
  return origin === PLACEHOLDER_ORIGIN && !pathname.startsWith('//') ? pathname + search : null;
};
