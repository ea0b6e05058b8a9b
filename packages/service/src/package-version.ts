import { readFileSync } from 'node:fs';

/** The version in a package.json. Programs read the one beside them, also in the Debian packages. */
export const readPackageVersion = (packageFile: URL): string =>
  (JSON.parse(readFileSync(packageFile, 'utf8')) as { readonly version: string }).version;
