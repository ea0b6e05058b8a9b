#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { runCommandLine, type Program } from '@lintel/service/command-line/command-line';
import { loadDeviceCommand } from './device-command.ts';

/* What the Debian package of a controller has: no bridge, no simulator, nothing that is for a laptop. */

const program: Program = {
  name: 'lintel-controller',
  headline: 'the firmware of a door controller, and what a technician needs beside it',
  parts: [
    {
      title: 'The door',
      entries: [
        {
          name: 'device',
          summary: 'run the firmware',
          load: loadDeviceCommand,
        },
        {
          name: 'enroll',
          summary: 'claim this controller for an organization, with the code of a ticket',
          load: () => import('@lintel/device-runtime/commands/enroll'),
        },
        {
          name: 'profile',
          summary: 'list the hardware profiles, check one of your own',
          load: () => import('@lintel/device-runtime/commands/profile'),
        },
        {
          name: 'doctor',
          summary: 'check this machine, and say what to do',
          load: () => import('@lintel/device-runtime/commands/doctor'),
        },
        {
          name: 'update',
          summary: 'bring another version to this controller, from a file or a USB stick',
          load: () => import('@lintel/device-runtime/commands/update'),
        },
        {
          name: 'rules',
          summary: 'check a file of input rules, read and write those of a device',
          load: () => import('@lintel/device-runtime/commands/rules'),
        },
      ],
    },
  ],
};

enableCompileCache();
process.exitCode = await runCommandLine(program, process.argv.slice(2));
