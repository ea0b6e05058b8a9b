#!/usr/bin/env node
import { lintelCommandLine } from './lintel-commands.ts';
import { runProgram } from './run-program.ts';

await runProgram(lintelCommandLine);
