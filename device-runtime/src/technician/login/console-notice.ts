import { writeFileSync } from 'node:fs';

type Notice = (line: string) => void;

const toStderr: Notice = line => {
  process.stderr.write(`${line}\n`);
};

/**
 * Where who stands before the machine reads the setup code. A service's stderr is the journal, which travels: its unit
 * names a file instead, which the login prompt of the console shows.
 */
export const consoleNotice = (env: Readonly<Record<string, string | undefined>> = process.env): Notice => {
  const file = env['LINTEL_CONSOLE_FILE'];
  if (file === undefined || file === '') return toStderr;
  return line => {
    try {
      writeFileSync(file, `${line}\n\n`, { mode: 0o600 });
    } catch (error) {
      toStderr(`The setup code cannot be shown on the console: ${(error as Error).message}`);
    }
  };
};
