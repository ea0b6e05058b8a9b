#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

/** What `lintel NAME …` calls: a part's entry and the text that explains it. */
interface Command {
  readonly usage: string;
  /** Of what the arguments name, for a command that is several. */
  usageOf?(args: readonly string[]): Promise<string>;
  /** Answers the exit code: 0 done, 1 failed, 2 called wrongly. */
  run(args: readonly string[]): Promise<number>;
}

interface Entry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
}

/** A part is loaded only when its command is called, so that `lintel --help` answers at once. */
const parts: ReadonlyArray<{ readonly title: string; readonly entries: readonly Entry[] }> = [
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
        load: () => import('@lintel/device-runtime/commands/device'),
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
    ],
  },
];

const entries = parts.flatMap(part => part.entries);

const overview = (): string => {
  const width = Math.max(...entries.map(entry => entry.name.length));
  const sections = parts.map(({ title, entries }) =>
    [title, ...entries.map(entry => `  ${entry.name.padEnd(width)}   ${entry.summary}`)].join('\n'),
  );
  return `lintel: door access that you run yourself

Usage: lintel COMMAND [OPTIONS]

${sections.join('\n\n')}

\`lintel COMMAND --help\` explains one command with its options and an example.
Commands that answer with data take --json: one JSON document on stdout, logs on stderr.
Exit codes: 0 done, 1 failed, 2 called wrongly.
`;
};

/** The commands that a mistyped word may have meant. */
const nearest = (word: string): string[] =>
  entries.map(entry => entry.name).filter(name => name.startsWith(word.slice(0, 2)) || name.includes(word));

const main = async (args: string[]): Promise<number> => {
  const [first, ...rest] = args[0] === 'help' ? [...args.slice(1, 2), '--help'] : args;
  if (first === undefined || first === '--help' || first === '-h') {
    process.stdout.write(overview());
    return first === undefined ? 2 : 0;
  }
  const entry = entries.find(one => one.name === first);
  if (entry === undefined) {
    const meant = nearest(first);
    const hint = meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : 'See lintel --help.';
    process.stderr.write(`lintel: there is no command "${first}". ${hint}\n`);
    return 2;
  }
  const { command } = await entry.load();
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write((await command.usageOf?.(rest)) ?? command.usage);
    return 0;
  }
  return command.run(rest);
};

// Half of a start is compiling what has not changed since the last one.
enableCompileCache();
process.exitCode = await main(process.argv.slice(2));
