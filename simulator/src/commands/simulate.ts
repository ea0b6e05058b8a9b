import { commandOfSeveral } from '@lintel/service/command-line/subcommands';

export const command = commandOfSeveral(
  'lintel simulate',
  [
    {
      name: 'door',
      summary: "a door in the terminal, with a technician's files: [--profile FILE] [--rules FILE]",
      load: () => import('../terminal/door-command.ts'),
    },
    {
      name: 'scenario',
      summary: 'a file of steps and expectations, played without waiting: FILE',
      load: () => import('../scenario/scenario-command.ts'),
    },
    {
      name: 'replay',
      summary: 'a support bundle from the field, played again: BUNDLE',
      load: () => import('../replay/replay-command.ts'),
    },
    {
      name: 'fleet',
      summary: 'many controllers at once, with figures: --devices N --bridge URL',
      load: () => import('../fleet/fleet-command.ts'),
    },
  ],
  word => `There is nothing to simulate that is called "${word}".`,
);
