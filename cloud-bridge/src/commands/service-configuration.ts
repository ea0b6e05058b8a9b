import { readFileSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import { readConfigurationFile } from '@lintel/service/command-line/program-options';
import { getErrorCode } from '@lintel/service/error-code';
import { BridgeCommandError } from './bridge-command-error.ts';
import { bridgeOptions } from './bridge-usage.ts';

/** The file of the installed service. */
const SERVICE_CONFIGURATION = '/etc/lintel/bridge.toml';

const realPath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
};

/**
 * The configuration file of the installed service, for commands without `--config`. It describes the bridge of its own data
 * folder only: undefined if another folder is given, or no service is installed.
 */
export const findServiceConfiguration = (
  { data }: Readonly<Record<string, unknown>>,
  file = SERVICE_CONFIGURATION,
): string | undefined => {
  const given = typeof data === 'string' && data !== '' ? data : null;
  try {
    readFileSync(file);
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined;
    // A folder that this user can read is not the one of the service.
    if (given !== null) return undefined;
    throw new BridgeCommandError(describeConfigurationError(error, file), { cause: error });
  }
  const { data: ofService } = readConfigurationFile(bridgeOptions, file);
  const isOfService = given === null || (typeof ofService === 'string' && realPath(ofService) === realPath(given));
  return isOfService ? file : undefined;
};

/** The file belongs to root, but its group is the user of the service. */
const describeConfigurationError = (error: unknown, file: string): string =>
  ['EACCES', 'EPERM'].includes(getErrorCode(error))
    ? `${file}: permission denied. Run the command with sudo, or give --data`
    : describeSystemError(error, file);
