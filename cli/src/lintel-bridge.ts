#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { runCommandLine } from '@lintel/service/command-line/run-command-line';
import { bridgeCommands } from './bridge-commands.ts';
import { readProgramVersion } from './program-version.ts';

/* The commands in the Debian package and the container image of the bridge. */

const program = {
  name: 'lintel-bridge',
  headline: 'cloud bridge of door controllers',
  version: readProgramVersion,
  parts: [bridgeCommands],
};

enableCompileCache();
process.exitCode = await runCommandLine(program, process.argv.slice(2));
