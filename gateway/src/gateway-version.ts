import { readPackageVersion } from '@lintel/service/package-version';

export const readGatewayVersion = (): string => readPackageVersion(new URL('../package.json', import.meta.url));
