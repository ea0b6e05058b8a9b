#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { runCommandLine } from '@lintel/service/command-line/command-line';
import { program } from './lintel-program.ts';

// Half of a start is compiling what has not changed since the last one.
enableCompileCache();
process.exitCode = await runCommandLine(program, process.argv.slice(2));
