#!/usr/bin/env node
import type { CommandLineProgram } from '@lintel/service/command-line/run-command-line';
import { readProgramVersion } from './program-version.ts';
import { runProgram } from './run-program.ts';

/* The commands in the Debian package of a gateway. */

const program: CommandLineProgram = {
  name: 'lintel-gateway',
  headline: 'gateway between the controllers of a site and the bridge',
  version: readProgramVersion,
  parts: [
    {
      title: 'Site',
      entries: [
        {
          name: 'gateway',
          summary: 'run the gateway, or show its status',
          load: () => import('@lintel/gateway/commands/gateway'),
        },
        {
          name: 'update',
          summary: 'update this gateway from a file or USB drive',
          load: () => import('@lintel/gateway/commands/update'),
        },
        {
          name: 'enroll',
          summary: 'claim this gateway for an organization with a claim code',
          load: () => import('@lintel/device-runtime/commands/enroll'),
        },
        {
          name: 'profile',
          summary: 'list the shipped hardware profiles, or check a custom profile',
          load: () => import('@lintel/device-runtime/commands/profile'),
        },
      ],
    },
  ],
};

await runProgram(program);
