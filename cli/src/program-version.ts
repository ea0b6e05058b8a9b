import { readFileSync } from 'node:fs';

/** From the package.json beside the program, also in the Debian packages. */
export const readProgramVersion = (): string => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
};
