import type { CommandEntry } from '@lintel/service/command-line/cli-command';
import type { InstalledProgram } from '@lintel/service/command-line/installed-service';

/** Loads the command that claims one of these programs. */
export const loadEnrollCommand =
  (...programs: readonly InstalledProgram[]): CommandEntry['load'] =>
  async () => {
    const { createEnrollCommand } = await import('@lintel/device-runtime/commands/enroll');
    return { command: createEnrollCommand(programs) };
  };
