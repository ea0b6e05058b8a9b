/** Appends to an address as it is written: parsing and printing it again would change some. */
export const withParameters = (uri: string, parameters: Readonly<Record<string, string | undefined>>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  const separator = uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?';
  return `${uri}${separator}${query.toString()}`;
};
