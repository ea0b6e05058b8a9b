/** Appends to the URI without parsing it, since that could normalize it. */
export const appendQueryParameters = (
  uri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  const separator = uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?';
  return `${uri}${separator}${query.toString()}`;
};
