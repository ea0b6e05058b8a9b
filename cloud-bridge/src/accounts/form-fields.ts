/** Fields of a form or a query. RFC 6749 3.1: an empty one counts as absent, and none may be repeated. */
export interface Parameters {
  readonly values: Readonly<Record<string, string>>;
  readonly repeated: readonly string[];
}

const isClean = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Takes the named parameters out of a parsed query or form; everything else is ignored, as the RFC asks. */
export const readParameters = (source: unknown, names: readonly string[]): Parameters => {
  const values: Record<string, string> = {};
  const repeated: string[] = [];
  const given = (typeof source === 'object' && source !== null ? source : {}) as Readonly<Record<string, unknown>>;
  for (const name of names) {
    const value = given[name];
    if (Array.isArray(value)) repeated.push(name);
    else if (typeof value === 'string' && value !== '' && isClean(value)) values[name] = value;
  }
  return { values, repeated };
};
