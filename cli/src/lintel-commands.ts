import type { CommandLineProgram } from '@lintel/service/command-line/run-command-line';
import { bridgeCommands } from './bridge-commands.ts';
import { loadDeviceCommand } from './load-device-command.ts';
import { loadEnrollCommand } from './load-enroll-command.ts';
import { readProgramVersion } from './program-version.ts';

const parts: CommandLineProgram['parts'] = [
  bridgeCommands,
  {
    title: 'Site',
    entries: [
      {
        name: 'gateway',
        summary: 'run the gateway of a site, or show its status',
        load: () => import('@lintel/gateway/commands/gateway'),
      },
    ],
  },
  {
    title: 'Door',
    entries: [
      {
        name: 'device',
        summary: 'run the firmware of a door controller',
        load: loadDeviceCommand,
      },
      {
        name: 'enroll',
        summary: 'claim a controller or gateway for an organization with a claim code',
        load: loadEnrollCommand('controller', 'gateway'),
      },
      {
        name: 'profile',
        summary: 'list the shipped hardware profiles, or check a custom profile',
        load: () => import('@lintel/device-runtime/commands/profile'),
      },
      {
        name: 'doctor',
        summary: 'diagnose the machine of a controller and suggest fixes',
        load: () => import('@lintel/device-runtime/commands/doctor'),
      },
      {
        name: 'osdp-reader',
        summary: 'set the address and baud rate of an OSDP reader',
        load: () => import('@lintel/drivers/osdp-reader-command'),
      },
      {
        name: 'release',
        summary: 'build, sign and verify releases for controllers and gateways',
        load: () => import('@lintel/packaging/commands/release'),
      },
      {
        name: 'update',
        summary: 'update the controller or gateway on this machine from a file or USB drive',
        load: () => import('@lintel/device-runtime/commands/update'),
      },
      {
        name: 'rules',
        summary: 'check input rules, or read and write the rules of a device',
        load: () => import('@lintel/device-runtime/commands/rules'),
      },
    ],
  },
  {
    title: 'Development',
    entries: [
      {
        name: 'simulate',
        summary: 'simulate doors, run scenarios, replay support bundles, load-test a bridge',
        load: () => import('@lintel/simulator/commands/simulate'),
      },
      {
        name: 'image',
        summary: 'build Debian packages and SD cards for controllers',
        load: () => import('@lintel/packaging/commands/image-subcommands'),
      },
      {
        name: 'completion',
        summary: 'print a completion script for bash or zsh',
        load: async () => {
          const { createCompletionCommand } = await import('@lintel/service/command-line/completion');
          return { command: createCompletionCommand(lintelCommandLine) };
        },
      },
    ],
  },
];

/** The commands of `lintel`. */
export const lintelCommandLine: CommandLineProgram = {
  name: 'lintel',
  headline: 'self-hosted door access',
  version: readProgramVersion,
  parts,
};
