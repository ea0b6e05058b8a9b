import { enableCompileCache } from 'node:module';
import { handleOutputErrors } from '@lintel/service/command-line/output-errors';
import { type CommandLineProgram, runCommandLine } from '@lintel/service/command-line/run-command-line';

const EXIT_MS = 5000;

/** Runs the command of this process and sets its exit code. */
export const runProgram = async (program: CommandLineProgram, args = process.argv.slice(2)): Promise<void> => {
  // Compilation takes about half of the startup time.
  enableCompileCache();
  let isOutputLost = false;
  handleOutputErrors(process, () => {
    isOutputLost = true;
    process.exitCode ||= 1;
  });
  const code = await runCommandLine(program, args);
  process.exitCode = code === 0 && isOutputLost ? 1 : code;
  // A command that failed may have left a connection or a timer. Its process must end, so that systemd restarts it.
  if (code !== 0) setTimeout(() => process.exit(), EXIT_MS).unref();
};
