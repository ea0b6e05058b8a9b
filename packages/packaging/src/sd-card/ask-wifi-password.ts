import { askSecret } from '@lintel/service/command-line/ask-secret';
import { findWifiPasswordProblem } from './wifi-credential-problems.ts';
import { SdCardPreparationError } from './sd-card-preparation-error.ts';

export const requireWifiPassword = (password: string): string => {
  const problem = findWifiPasswordProblem(password);
  if (problem !== null) throw new SdCardPreparationError(`the password of the Wi-Fi ${problem}`);
  return password;
};

/** Not an argument, because other users see those and the shell keeps them. */
export const askWifiPassword = async (
  ssid: string,
  environment: NodeJS.ProcessEnv,
  isTerminal: boolean,
): Promise<string> => {
  const given = environment['LINTEL_WIFI_PASSWORD'];
  if (given === undefined && !isTerminal)
    throw new SdCardPreparationError('the password of the Wi-Fi is taken from LINTEL_WIFI_PASSWORD, which is not set');
  const password = given ?? (await askSecret(`Password of ${ssid}: `));
  if (password === null) throw new SdCardPreparationError('Nothing was written');
  return requireWifiPassword(password);
};
