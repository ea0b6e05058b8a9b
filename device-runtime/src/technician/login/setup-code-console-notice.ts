import { writeFileSync } from 'node:fs';

type WriteNotice = (line: string) => void;

const toStderr: WriteNotice = line => {
  process.stderr.write(`${line}\n`);
};

/**
 * Shows the setup code to a person at the machine. The stderr of a service goes to the journal, which may be shared, so
 * the unit names a file that the console shows at the login prompt.
 */
export const createSetupCodeNoticeWriter = (
  env: Readonly<Record<string, string | undefined>> = process.env,
): WriteNotice => {
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
