/** Parameters of a form or a query. RFC 6749 3.1: an empty value counts as absent, and no parameter may be repeated. */
export interface RequestParameters {
  readonly values: Readonly<Record<string, string>>;
  readonly repeated: readonly string[];
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Reads the named parameters from a parsed query or form and ignores all others (RFC 6749 3.1). */
export const readRequestParameters = (source: unknown, names: readonly string[]): RequestParameters => {
  const values: Record<string, string> = {};
  const repeated: string[] = [];
  const parameters = (typeof source === 'object' && source !== null ? source : {}) as Readonly<Record<string, unknown>>;
  for (const name of names) {
    const value = parameters[name];
    if (Array.isArray(value)) repeated.push(name);
    else if (typeof value === 'string' && value !== '' && isStorable(value)) values[name] = value;
  }
  return { values, repeated };
};
