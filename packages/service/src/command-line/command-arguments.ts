import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './cli-command.ts';
import { findNearestName } from './nearest-name.ts';

/** The message of Node begins with the option in quotes, and goes on about positional arguments. */
const describeUnknownOption = (message: string, options: object): string => {
  const option = /'(-[^']*)'/.exec(message)?.[1] ?? '';
  const nearest = findNearestName(Object.keys(options), option.replace(/^-+/, ''));
  return `Unknown option ${option}${nearest === undefined ? '' : `. Did you mean --${nearest}?`}`;
};

/** The messages of Node name options with their short forms and go on about other styles. */
const describeParseError = ({ code, message }: NodeJS.ErrnoException, options: object): string => {
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return describeUnknownOption(message, options);
  const name = /'(?:-\w, )?([^' ]+)/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') return `Unexpected argument: ${name}`;
  return message.includes('does not take an argument') ? `${name} does not take a value` : `${name} requires a value`;
};

/** Like `parseArgs`, but throws a UsageError. */
export const parseCommandArguments = <T extends ParseArgsConfig>(call: T): ReturnType<typeof parseArgs<T>> => {
  try {
    return parseArgs(call);
  } catch (error) {
    throw new UsageError(describeParseError(error as NodeJS.ErrnoException, call.options ?? {}));
  }
};

export const requireOption = (value: string | undefined, name: string): string => {
  if (value === undefined || value === '')
    throw new UsageError(`${name === name.toUpperCase() ? name : `--${name}`} is required`);
  return value;
};

export const parsePortOption = (value: string | undefined, name: string): number => {
  const port = Number(requireOption(value, name));
  if (!/^\d+$/.test(value ?? '') || port > 65_535) throw new UsageError(`--${name} must be a port from 0 to 65535`);
  return port;
};

/** Throws a UsageError for the first argument after `max`. */
export const rejectExtraArguments = (positionals: readonly string[], max: number): void => {
  const extra = positionals[max];
  if (extra !== undefined) throw new UsageError(`Unexpected argument: ${extra}`);
};

export const parseBrokerUrlOption = (text: string | undefined, name: string): string | undefined => {
  if (text === undefined || /^mqtts?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new UsageError(`--${name} must be an address such as mqtts://doors.example.com:8883`);
};

/** Accepts a SHA-256 fingerprint with or without colons, in upper or lower case. */
export const parseFingerprintOption = (text: string | undefined, name = 'ca-fingerprint'): string | null => {
  if (text === undefined) return null;
  const hex = text.replaceAll(/[\s:]/g, '').toUpperCase();
  if (!/^[0-9A-F]{64}$/.test(hex)) throw new UsageError(`--${name} must be 32 bytes in hex: AB:CD:…`);
  return hex.match(/../g)!.join(':');
};
