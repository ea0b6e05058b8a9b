#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { runCommandLine, type Program } from '@lintel/service/command-line/command-line';

/* What the Debian package of a gateway has. */

const program: Program = {
  name: 'lintel-gateway',
  headline: "a site's gateway: controllers reach the bridge and one another through it",
  parts: [
    {
      title: 'The site',
      entries: [
        {
          name: 'gateway',
          summary: 'run the gateway, or show the status of the one that runs',
          load: () => import('@lintel/gateway/commands/gateway'),
        },
        {
          name: 'update',
          summary: 'bring another version to this gateway, from a file or a USB stick',
          load: () => import('@lintel/gateway/commands/update'),
        },
        {
          name: 'enroll',
          summary: 'claim this gateway for an organization, with the code of a ticket',
          load: () => import('@lintel/device-runtime/commands/enroll'),
        },
        {
          name: 'profile',
          summary: 'list the hardware profiles: a gateway is claimed with that of its product',
          load: () => import('@lintel/device-runtime/commands/profile'),
        },
      ],
    },
  ],
};

enableCompileCache();
process.exitCode = await runCommandLine(program, process.argv.slice(2));
