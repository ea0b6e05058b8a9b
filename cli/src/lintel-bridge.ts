#!/usr/bin/env node
import { bridgeCommands } from './bridge-commands.ts';
import { readProgramVersion } from './program-version.ts';
import { runProgram } from './run-program.ts';

/* The commands in the Debian package and the container image of the bridge. */

const program = {
  name: 'lintel-bridge',
  headline: 'cloud bridge of door controllers',
  version: readProgramVersion,
  parts: [bridgeCommands],
};

await runProgram(program);
