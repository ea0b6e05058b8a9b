import { readPackageVersion } from '@lintel/service/package-version';

export const readBridgeVersion = (): string => readPackageVersion(new URL('../package.json', import.meta.url));
