import { readFileSync } from 'node:fs';
import { parse as parseToml } from 'smol-toml';
import { UsageError } from './cli-command.ts';
import { parseCommandArguments } from './command-arguments.ts';
import { describeSystemError } from './describe-system-error.ts';
import { toEnvironmentVariableName } from './environment-variables.ts';

/** The file of `--config` cannot be read. */
export class ConfigurationFileError extends Error {
  override readonly name = 'ConfigurationFileError';
}

interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly default?: string | boolean | readonly string[];
}

export type Options = Readonly<Record<string, Option>>;
export type Value = string | boolean | readonly string[];

type ValueOf<O extends Option> = O extends { readonly type: 'boolean' }
  ? boolean
  : O extends { readonly multiple: true }
    ? readonly string[]
    : string;

type OptionValues<O extends Options> = {
  readonly [K in keyof O]: 'default' extends keyof O[K] ? ValueOf<O[K]> : ValueOf<O[K]> | undefined;
};

export interface ProgramArguments<O extends Options> {
  readonly values: OptionValues<O>;
  readonly positionals: readonly string[];
}

/** The key of an option in a configuration file: `http-port` is `http_port`. */
export const toConfigurationFileKey = (option: string): string => option.replaceAll('-', '_');

const parseBoolean = (text: string): boolean | null => (text === 'true' ? true : text === 'false' ? false : null);

const parseVariable = (name: string, option: Option, text: string): Value => {
  if (option.type === 'boolean') {
    const value = parseBoolean(text);
    if (value === null) throw new UsageError(`${name} must be true or false`);
    return value;
  }
  return option.multiple === true
    ? text
        .split(',')
        .map(part => part.trim())
        .filter(part => part !== '')
    : text;
};

/** An empty variable counts as not set, so that a container file can declare variables without values. */
export const readEnvironment = (options: Options, environment: NodeJS.ProcessEnv): Record<string, Value> => {
  const values: Record<string, Value> = {};
  for (const [name, option] of Object.entries(options)) {
    const variable = toEnvironmentVariableName(name);
    const text = environment[variable];
    if (text !== undefined && text !== '') values[name] = parseVariable(variable, option, text);
  }
  return values;
};

const toOptionValue = (option: Option, value: unknown): Value | null => {
  if (option.type === 'boolean') return typeof value === 'boolean' ? value : null;
  if (option.multiple === true)
    return Array.isArray(value) && value.every(part => typeof part === 'string') ? value : null;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' ? value : null;
};

const expectedType = (option: Option): string => {
  if (option.type === 'boolean') return 'true or false';
  return option.multiple === true ? 'a list of texts' : 'a text or a number';
};

const readToml = (file: string): Record<string, unknown> => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigurationFileError(`--config: ${describeSystemError(error, file)}`, { cause: error });
  }
  try {
    return parseToml(text);
  } catch (error) {
    // The first line of the message has no content of the file, which may contain passwords.
    const { line, column, message } = error as Error & { readonly line?: number; readonly column?: number };
    throw new UsageError(`${file}:${line ?? 1}:${column ?? 1}: ${message.split('\n')[0]}`);
  }
};

/** The options in a TOML file. Throws a ConfigurationFileError if it cannot be read, and a UsageError for an unknown key. */
export const readConfigurationFile = (options: Options, file: string): Record<string, Value> => {
  const values: Record<string, Value> = {};
  const nameByKey = new Map(Object.keys(options).map(name => [toConfigurationFileKey(name), name]));
  for (const [key, content] of Object.entries(readToml(file))) {
    const name = nameByKey.get(key);
    if (name === undefined)
      throw new UsageError(`${file}: unknown key "${key}". Keys are: ${[...nameByKey.keys()].join(', ')}`);
    const option = options[name]!;
    const value = toOptionValue(option, content);
    if (value === null) throw new UsageError(`${file}: "${key}" must be ${expectedType(option)}`);
    values[name] = value;
  }
  return values;
};

/** Without their defaults, which rank below the environment and the file. */
const toArgumentOptions = (options: Options): Record<string, { type: 'string' | 'boolean'; multiple: boolean }> =>
  Object.fromEntries(Object.entries(options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]));

const defaultsOf = (options: Options): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, option]) => (option.default === undefined ? [] : [[name, option.default]])),
  );

/** The file of `--config` or `LINTEL_CONFIG`. */
export const chosenConfigurationFile = (
  config: Value | undefined,
  environment: NodeJS.ProcessEnv,
): string | undefined => {
  const file = config ?? environment[toEnvironmentVariableName('config')];
  return typeof file === 'string' && file !== '' ? file : undefined;
};

/**
 * Options of a program. A command-line option takes precedence over its environment variable, which takes precedence over
 * the file given by `--config`. `findFile` chooses the file if none is given.
 */
export const parseProgramOptions = <const O extends Options>(
  args: readonly string[],
  options: O,
  environment: NodeJS.ProcessEnv = process.env,
  findFile: (given: Readonly<Record<string, Value>>) => string | undefined = () => undefined,
): ProgramArguments<O> => {
  const { values, positionals } = parseCommandArguments({
    args,
    options: { ...toArgumentOptions(options), config: { type: 'string' } },
    allowPositionals: true,
  });
  const { config, ...fromArguments } = values as Readonly<Record<string, Value>>;
  const given = { ...readEnvironment(options, environment), ...fromArguments };
  const file = chosenConfigurationFile(config, environment) ?? findFile(given);
  const merged: unknown = {
    ...defaultsOf(options),
    ...(file === undefined ? {} : readConfigurationFile(options, file)),
    ...given,
  };
  return { positionals, values: merged as OptionValues<O> };
};
