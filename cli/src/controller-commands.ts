import type { CommandLineProgram } from '@lintel/service/command-line/run-command-line';
import { loadDeviceCommand } from './load-device-command.ts';
import { loadEnrollCommand } from './load-enroll-command.ts';

export const controllerCommands: CommandLineProgram['parts'][number] = {
  title: 'Door',
  entries: [
    {
      name: 'device',
      summary: 'run the firmware',
      load: loadDeviceCommand,
    },
    {
      name: 'enroll',
      summary: 'claim this controller for an organization with a claim code',
      load: loadEnrollCommand('controller'),
    },
    {
      name: 'profile',
      summary: 'list the shipped hardware profiles, or check a custom profile',
      load: () => import('@lintel/device-runtime/commands/profile'),
    },
    {
      name: 'doctor',
      summary: 'diagnose this machine and suggest fixes',
      load: () => import('@lintel/device-runtime/commands/doctor'),
    },
    {
      name: 'osdp-reader',
      summary: 'set the address and baud rate of an OSDP reader',
      load: () => import('@lintel/drivers/osdp-reader-command'),
    },
    {
      name: 'update',
      summary: 'update this controller from a file or USB drive',
      load: () => import('@lintel/device-runtime/commands/update'),
    },
    {
      name: 'rules',
      summary: 'check input rules, or read and write the rules of a device',
      load: () => import('@lintel/device-runtime/commands/rules'),
    },
  ],
};
