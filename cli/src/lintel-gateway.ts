#!/usr/bin/env node
import { gatewayCommands } from './gateway-commands.ts';
import { readProgramVersion } from './program-version.ts';
import { runProgram } from './run-program.ts';

/* The commands in the Debian package of a gateway. */

const program = {
  name: 'lintel-gateway',
  headline: 'gateway between the controllers of a site and the bridge',
  version: readProgramVersion,
  parts: [gatewayCommands],
};

await runProgram(program);
