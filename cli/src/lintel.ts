#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { runCommandLine } from '@lintel/service/command-line/run-command-line';
import { lintelCommandLine } from './lintel-commands.ts';

// Compilation takes about half of the startup time.
enableCompileCache();
process.exitCode = await runCommandLine(lintelCommandLine, process.argv.slice(2));
