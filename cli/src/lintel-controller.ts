#!/usr/bin/env node
import { controllerCommands } from './controller-commands.ts';
import { readProgramVersion } from './program-version.ts';
import { runProgram } from './run-program.ts';

/* The commands in the Debian package of a controller. */

const program = {
  name: 'lintel-controller',
  headline: 'firmware and tools of a door controller',
  version: readProgramVersion,
  parts: [controllerCommands],
};

await runProgram(program);
