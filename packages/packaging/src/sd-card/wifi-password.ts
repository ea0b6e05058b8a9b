import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { passwordProblem } from './network-connections.ts';
import { PrepareProblem } from './prepare-problem.ts';

/** Whoever stands behind must not read along. */
const unseen = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

const asked = (question: string): Promise<string> =>
  new Promise((resolve, reject) => {
    process.stderr.write(question);
    const terminal = createInterface({ input: process.stdin, output: unseen(), terminal: true });
    terminal.once('SIGINT', () => {
      terminal.close();
      reject(new PrepareProblem('\nnothing was written'));
    });
    terminal.question('', answer => {
      terminal.close();
      process.stderr.write('\n');
      resolve(answer);
    });
  });

/** Never an argument: those are seen by everybody on the machine and stay in the shell's history. */
export const wifiPassword = async (
  ssid: string,
  environment: NodeJS.ProcessEnv,
  isTerminal: boolean,
): Promise<string> => {
  const told = environment['LINTEL_WIFI_PASSWORD'];
  if (told === undefined && !isTerminal)
    throw new PrepareProblem('the password of the Wi-Fi is taken from LINTEL_WIFI_PASSWORD, which is not set');
  const password = told ?? (await asked(`Password of ${ssid}: `));
  const wrong = passwordProblem(password);
  if (wrong !== null) throw new PrepareProblem(`the password of the Wi-Fi ${wrong}`);
  return password;
};
