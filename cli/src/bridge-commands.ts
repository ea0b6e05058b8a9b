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
      name: 'user',
      summary: 'list and invite users, reset passwords',
      load: () => import('@lintel/cloud-bridge/commands/user'),
    },
    {
      name: 'organization',
      summary: 'list and create organizations, grant whitelabel',
      load: () => import('@lintel/cloud-bridge/commands/organization'),
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
      name: 'broker-certificate',
      summary: 'issue the certificate of an external MQTT broker',
      load: () => import('@lintel/cloud-bridge/commands/broker-certificate'),
    },
  ],
};
