import { enableCompileCache } from 'node:module';
import { type CommandLineProgram, runCommandLine } from '@lintel/service/command-line/run-command-line';

const EXIT_MS = 5000;

/** Runs the command of this process and sets its exit code. */
export const runProgram = async (program: CommandLineProgram, args = process.argv.slice(2)): Promise<void> => {
  // Compilation takes about half of the startup time.
  enableCompileCache();
  const code = await runCommandLine(program, args);
  process.exitCode = code;
  // A command that failed may have left a connection or a timer. Its process must end, so that systemd restarts it.
  if (code !== 0) setTimeout(() => process.exit(), EXIT_MS).unref();
};
