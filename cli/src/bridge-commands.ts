import type { CommandLineProgram } from '@lintel/service/command-line/run-command-line';

export const bridgeCommands: CommandLineProgram['parts'][number] = {
  title: 'Cloud',
  entries: [
    {
      name: 'bridge',
      summary: 'run the cloud bridge: REST API, OAuth, events, device sync',
      load: () => import('@lintel/cloud-bridge/commands/bridge'),
    },
    {
      name: 'init',
      summary: 'create an organization and its owner, step by step or from options',
      load: () => import('@lintel/cloud-bridge/commands/init'),
    },
    {
      name: 'seed',
      summary: 'create an organization, sites, doors and members from a file',
      load: () => import('@lintel/cloud-bridge/commands/seed'),
    },
    {
      name: 'token',
      summary: 'create an access token for a script',
      load: () => import('@lintel/cloud-bridge/commands/token'),
    },
    {
      name: 'clock',
      summary: 'show and confirm the time by which the bridge deletes',
      load: () => import('@lintel/cloud-bridge/commands/clock'),
    },
    {
      name: 'user',
      summary: 'list and invite users, reset passwords',
      load: () => import('@lintel/cloud-bridge/commands/user'),
    },
    {
      name: 'organization',
      summary: 'list, create, export, import and delete organizations, grant whitelabel, set retention',
      load: () => import('@lintel/cloud-bridge/commands/organization'),
    },
    {
      name: 'member',
      summary: 'export or erase the personal data of a member',
      load: () => import('@lintel/cloud-bridge/commands/member'),
    },
    {
      name: 'cards',
      summary: 'import delivered cards with their printed codes',
      load: () => import('@lintel/cloud-bridge/commands/cards'),
    },
    {
      name: 'keys',
      summary: 'rotate the master key that seals PINs, links and webhook secrets',
      load: () => import('@lintel/cloud-bridge/commands/keys'),
    },
    {
      name: 'backup',
      summary: 'write an encrypted backup of database, keys and releases',
      load: () => import('@lintel/cloud-bridge/commands/backup'),
    },
    {
      name: 'restore',
      summary: 'restore a backup into an empty data folder',
      load: () => import('@lintel/cloud-bridge/commands/restore'),
    },
    {
      name: 'broker-certificate',
      summary: 'issue the certificate of an external MQTT broker',
      load: () => import('@lintel/cloud-bridge/commands/broker-certificate'),
    },
  ],
};
