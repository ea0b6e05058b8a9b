import { type CommandStreams, UsageError } from '@lintel/service/command-line/cli-command';
import { requireOption } from '@lintel/service/command-line/command-arguments';
import { Prompt } from '@lintel/service/command-line/prompt';
import { findNewPasswordProblem } from '../accounts/password-policy.ts';
import { parseEmail } from '../accounts/users.ts';
import type { OrganizationSeedInput } from '../seed/new-organization-and-example-seeds.ts';
import { readOptionFile } from './option-values.ts';

export interface InitAnswers extends Omit<OrganizationSeedInput, 'key'> {
  readonly hasExampleData: boolean;
}

interface GivenOptions {
  readonly organization?: string | undefined;
  readonly owner?: string | undefined;
  readonly 'password-file'?: string | undefined;
  readonly timezone?: string | undefined;
  readonly 'example-data'?: boolean | undefined;
}

const machineZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const timezoneProblem = (zone: string): string | null => {
  try {
    Intl.DateTimeFormat('en', { timeZone: zone });
    return null;
  } catch {
    return `Unknown time zone: ${zone}. Use a name such as Europe/Madrid.`;
  }
};

const emailProblem = (email: string): string | null => {
  try {
    parseEmail(email);
    return null;
  } catch {
    return 'Enter an email address such as eva@example.com.';
  }
};

const requiredProblem = (answer: string): string | null => (answer === '' ? 'Enter a name.' : null);

const readPassword = (file: string): string => readOptionFile(file, 'password-file').split(/\r?\n/)[0]!;

const requireValid = (option: string, problem: string | null): void => {
  if (problem !== null) throw new UsageError(`--${option}: ${problem}`);
};

const fromOptions = (values: GivenOptions): InitAnswers => {
  const name = requireOption(values.organization, 'organization');
  const email = requireOption(values.owner, 'owner');
  const password = readPassword(requireOption(values['password-file'], 'password-file'));
  const { timezone = machineZone() } = values;
  requireValid('owner', emailProblem(email));
  requireValid(
    'password-file',
    findNewPasswordProblem(password, { email: parseEmail(email), organizationNames: [name] }),
  );
  requireValid('timezone', timezoneProblem(timezone));
  return { name, owner: { email, password }, timezone, hasExampleData: values['example-data'] === true };
};

/** Asks twice, and again from the start if the answers differ: the first one may be the mistyped one. */
const askPassword = async (
  prompt: Prompt,
  { stderr }: Pick<CommandStreams, 'stderr'>,
  check: (password: string) => string | null,
): Promise<string> => {
  for (;;) {
    const password = await prompt.askSecret('Password of the owner: ', check);
    if ((await prompt.askSecret('The password again: ')) === password) return password;
    stderr.write('The passwords differ. Type both again.\n');
  }
};

/** Asks for everything that no option gives. */
const fromTerminal = async (values: GivenOptions, streams: CommandStreams): Promise<InitAnswers> => {
  const prompt = new Prompt(streams);
  try {
    const name = values.organization ?? (await prompt.ask('Name of the organization', '', requiredProblem));
    const email = values.owner ?? (await prompt.ask('Email address of the owner', '', emailProblem));
    requireValid('owner', emailProblem(email));
    const file = values['password-file'];
    const check = (password: string): string | null =>
      findNewPasswordProblem(password, { email: parseEmail(email), organizationNames: [name] });
    const password = file === undefined ? await askPassword(prompt, streams, check) : readPassword(file);
    requireValid('password-file', check(password));
    const timezone = values.timezone ?? (await prompt.ask('Time zone of the site', machineZone(), timezoneProblem));
    requireValid('timezone', timezoneProblem(timezone));
    const hasExampleData = values['example-data'] ?? (await prompt.confirm('Create example data'));
    return { name, owner: { email, password }, timezone, hasExampleData };
  } finally {
    prompt.close();
  }
};

const isComplete = (values: GivenOptions): boolean =>
  values.organization !== undefined && values.owner !== undefined && values['password-file'] !== undefined;

/** From the options, and in a terminal from the user. */
export const readInitAnswers = async (values: GivenOptions, streams: CommandStreams): Promise<InitAnswers> =>
  isComplete(values) || streams.stdin.isTTY !== true ? fromOptions(values) : fromTerminal(values, streams);
