import { findNearestName } from './nearest-name.ts';

/** Variables of the programs that are not options of them. */
const otherVariables = [
  'LINTEL_CODE',
  'LINTEL_CONFIG',
  'LINTEL_CONSOLE_FILE',
  'LINTEL_HOME_ASSISTANT_PASSWORD',
  'LINTEL_LISTEN',
  'LINTEL_OPTIONS',
  'LINTEL_PACKAGE',
  'LINTEL_PASSPHRASE',
  'LINTEL_QUIET_SECONDS',
  'LINTEL_RELEASE',
  'LINTEL_RELEASES',
  'LINTEL_RELEASE_KEYS',
  'LINTEL_RELEASE_VERSION',
  'LINTEL_SETTLE_SECONDS',
  'LINTEL_TOKEN',
  'LINTEL_TRIAL_DEADLINE_SECONDS',
  'LINTEL_TRIAL_SECONDS',
  'LINTEL_WIFI_PASSWORD',
];

/** The environment variable of an option: `http-port` is `LINTEL_HTTP_PORT`. */
export const toEnvironmentVariableName = (option: string): string =>
  `LINTEL_${option.replaceAll('-', '_').toUpperCase()}`;

/** Variables that look like a mistyped one. Others may belong to another program. */
export const findMistypedVariables = (
  options: object,
  environment: NodeJS.ProcessEnv,
): ReadonlyArray<{ readonly variable: string; readonly meant: string }> => {
  const known = [...Object.keys(options).map(toEnvironmentVariableName), ...otherVariables];
  return Object.keys(environment)
    .filter(variable => variable.startsWith('LINTEL_') && !known.includes(variable))
    .flatMap(variable => {
      const meant = findNearestName(known, variable);
      return meant === undefined ? [] : [{ variable, meant }];
    });
};
