import type { Program } from '@lintel/service/command-line/command-line';
import { loadDeviceCommand } from './device-command.ts';

const parts: Program['parts'] = [
  {
    title: 'The cloud',
    entries: [
      {
        name: 'bridge',
        summary: 'run the cloud bridge: REST API, OAuth, events, device sync',
        load: () => import('@lintel/cloud-bridge/commands/bridge'),
      },
      {
        name: 'seed',
        summary: 'create what a file declares: organization, sites, doors, members',
        load: () => import('@lintel/cloud-bridge/commands/seed'),
      },
      {
        name: 'token',
        summary: 'mint an access token for a script',
        load: () => import('@lintel/cloud-bridge/commands/token'),
      },
      {
        name: 'keys',
        summary: 'rotate the master key that seals PINs, links and webhook secrets',
        load: () => import('@lintel/cloud-bridge/commands/keys'),
      },
    ],
  },
  {
    title: 'The site',
    entries: [
      {
        name: 'gateway',
        summary: 'run the gateway of a site, or show the status of the one that runs',
        load: () => import('@lintel/gateway/commands/gateway'),
      },
    ],
  },
  {
    title: 'The door',
    entries: [
      {
        name: 'device',
        summary: 'run the firmware of a door controller',
        load: loadDeviceCommand,
      },
      {
        name: 'enroll',
        summary: 'claim a controller or a gateway for an organization, with the code of a ticket',
        load: () => import('@lintel/device-runtime/commands/enroll'),
      },
      {
        name: 'profile',
        summary: 'list the hardware profiles, check one of your own',
        load: () => import('@lintel/device-runtime/commands/profile'),
      },
      {
        name: 'doctor',
        summary: 'check the machine that a controller runs on, and say what to do',
        load: () => import('@lintel/device-runtime/commands/doctor'),
      },
      {
        name: 'release',
        summary: 'make, sign and verify releases: the archives by which controllers and gateways change their version',
        load: () => import('@lintel/packaging/commands/release'),
      },
      {
        name: 'update',
        summary: 'bring another version to the controller or gateway of this machine, from a file or a USB stick',
        load: () => import('@lintel/device-runtime/commands/update'),
      },
      {
        name: 'rules',
        summary: 'check a file of input rules, read and write those of a device',
        load: () => import('@lintel/device-runtime/commands/rules'),
      },
    ],
  },
  {
    title: 'The laptop',
    entries: [
      {
        name: 'simulate',
        summary: 'try the whole system without hardware, or load a bridge with a fleet of controllers',
        load: () => import('@lintel/simulator/commands/simulate'),
      },
      {
        name: 'image',
        summary: 'make what a controller runs: the Debian packages, a card for a Raspberry Pi',
        load: () => import('@lintel/packaging/commands/image'),
      },
    ],
  },
];

/** The commands of `lintel`, which lintel.ts runs. */
export const program: Program = { name: 'lintel', headline: 'door access that you run yourself', parts };
