/** One way to simulate something; loaded only when it is called. */
interface Subcommand {
  readonly usage: string;
  run(args: readonly string[]): Promise<number>;
}

const subcommands: Readonly<Record<string, { readonly summary: string; readonly load: () => Promise<Subcommand> }>> = {
  door: {
    summary: "a door in the terminal, with a technician's files: [--profile FILE] [--rules FILE]",
    load: async () => (await import('../terminal/door-command.ts')).door,
  },
  scenario: {
    summary: 'a file of steps and expectations, played without waiting: FILE',
    load: async () => (await import('../scenario/scenario-command.ts')).scenario,
  },
  replay: {
    summary: 'a support bundle from the field, played again: BUNDLE',
    load: async () => (await import('../replay/replay-command.ts')).replay,
  },
  fleet: {
    summary: 'many controllers at once, with figures: --devices N --bridge URL',
    load: async () => (await import('../fleet/fleet-command.ts')).fleet,
  },
};

const usage = `lintel simulate WHAT [OPTIONS]

${Object.entries(subcommands)
  .map(([name, { summary }]) => `  ${name.padEnd(8)}   ${summary}`)
  .join('\n')}

\`lintel simulate WHAT --help\` explains one of them with its options.
`;

const named = (name = '') => (Object.hasOwn(subcommands, name) ? subcommands[name] : undefined);

const usageOf = async ([name]: readonly string[]): Promise<string> => (await named(name)?.load())?.usage ?? usage;

const run = async (args: readonly string[]): Promise<number> => {
  const [name, ...rest] = args;
  const found = named(name);
  if (found === undefined) {
    const said = name === undefined ? '' : `There is nothing to simulate that is called "${name}".\n\n`;
    process.stderr.write(`${said}${usage}`);
    return 2;
  }
  return (await found.load()).run(rest);
};

export const command = { usage, usageOf, run };
