import type { CommandLineProgram } from '@lintel/service/command-line/run-command-line';
import { loadEnrollCommand } from './load-enroll-command.ts';

export const gatewayCommands: CommandLineProgram['parts'][number] = {
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
      load: loadEnrollCommand('gateway'),
    },
    {
      name: 'profile',
      summary: 'list the shipped hardware profiles, or check a custom profile',
      load: () => import('@lintel/device-runtime/commands/profile'),
    },
  ],
};
