/** One step from a laptop to a controller; loaded only when it is called. */
interface Subcommand {
  readonly usage: string;
  run(args: readonly string[]): Promise<number>;
}

const subcommands: Readonly<Record<string, { readonly summary: string; readonly load: () => Promise<Subcommand> }>> = {
  package: {
    summary: 'the Debian packages of controller and gateway: --arch arm64|amd64',
    load: async () => (await import('../image/package/command.ts')).command,
  },
  prepare: {
    summary: 'a card with stock Raspberry Pi OS: BOOTFOLDER',
    load: async () => (await import('../image/prepare/command.ts')).command,
  },
  packages: {
    summary: 'what card readers need of Debian, fetched beforehand for prepare: --out DIR',
    load: async () => (await import('../image/prepare/offline-packages/command.ts')).command,
  },
  build: {
    summary: 'our own image for a memory card: --profile FILE --out FILE.img',
    load: async () => (await import('../image/build/command.ts')).command,
  },
  flash: {
    summary: 'writes an image to a card and compares: DEVICE FILE.img',
    load: async () => (await import('../image/flash/command.ts')).command,
  },
};

const usage = `lintel image WHAT [OPTIONS]

${Object.entries(subcommands)
  .map(([name, { summary }]) => `  ${name.padEnd(8)}   ${summary}`)
  .join('\n')}

\`lintel image WHAT --help\` explains one of them with its options.
`;

const named = (name = '') => (Object.hasOwn(subcommands, name) ? subcommands[name] : undefined);

const usageOf = async ([name]: readonly string[]): Promise<string> => (await named(name)?.load())?.usage ?? usage;

const run = async (args: readonly string[]): Promise<number> => {
  const [name, ...rest] = args;
  const found = named(name);
  if (found === undefined) {
    const said = name === undefined ? '' : `"${name}" is nothing that can be done with an image.\n\n`;
    process.stderr.write(`${said}${usage}`);
    return 2;
  }
  return (await found.load()).run(rest);
};

export const command = { usage, usageOf, run };
