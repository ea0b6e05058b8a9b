#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { runCommandLine } from '@lintel/service/command-line/run-command-line';
import { lintelProgram } from './lintel-program.ts';

// Compilation takes about half of the startup time.
enableCompileCache();
process.exitCode = await runCommandLine(lintelProgram, process.argv.slice(2));
