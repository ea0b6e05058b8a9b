import { readPackageVersion } from '@lintel/service/package-version';

export const readFirmwareVersion = (): string => readPackageVersion(new URL('../package.json', import.meta.url));
