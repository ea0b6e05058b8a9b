import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { findWifiPasswordProblem } from './network-connections.ts';
import { SdCardPreparationError } from './sd-card-preparation-error.ts';

/** Hides the password while it is typed. */
const hiddenOutput = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

const ask = (question: string): Promise<string> =>
  new Promise((resolve, reject) => {
    process.stderr.write(question);
    const terminal = createInterface({ input: process.stdin, output: hiddenOutput(), terminal: true });
    terminal.once('SIGINT', () => {
      terminal.close();
      reject(new SdCardPreparationError('\nNothing was written'));
    });
    terminal.question('', answer => {
      terminal.close();
      process.stderr.write('\n');
      resolve(answer);
    });
  });

/** Not an argument, because other users see those and the shell keeps them. */
export const askWifiPassword = async (
  ssid: string,
  environment: NodeJS.ProcessEnv,
  isTerminal: boolean,
): Promise<string> => {
  const given = environment['LINTEL_WIFI_PASSWORD'];
  if (given === undefined && !isTerminal)
    throw new SdCardPreparationError('the password of the Wi-Fi is taken from LINTEL_WIFI_PASSWORD, which is not set');
  const password = given ?? (await ask(`Password of ${ssid}: `));
  const problem = findWifiPasswordProblem(password);
  if (problem !== null) throw new SdCardPreparationError(`the password of the Wi-Fi ${problem}`);
  return password;
};
