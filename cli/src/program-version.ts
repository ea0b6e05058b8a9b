import { readPackageVersion } from '@lintel/service/package-version';

export const readProgramVersion = (): string => readPackageVersion(new URL('../package.json', import.meta.url));
