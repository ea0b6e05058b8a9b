import { createCommandGroup } from '@lintel/service/command-line/subcommands';

export const command = createCommandGroup('lintel simulate', [
  {
    name: 'door',
    summary: 'operate a simulated door in the terminal: [--profile FILE] [--rules FILE]',
    load: () => import('../terminal/door-command.ts'),
  },
  {
    name: 'scenario',
    summary: 'run a scenario file of steps and expectations in simulated time: FILE',
    load: () => import('../scenario/scenario-command.ts'),
  },
  {
    name: 'replay',
    summary: 'replay a support bundle with the current firmware: BUNDLE',
    load: () => import('../replay/replay-command.ts'),
  },
  {
    name: 'fleet',
    summary: 'load-test a bridge with many controllers: --devices N --bridge URL',
    load: () => import('../fleet/fleet-command.ts'),
  },
]);
