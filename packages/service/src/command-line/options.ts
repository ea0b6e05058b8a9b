import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './command.ts';

/** As `parseArgs`, whose complaints are about the call. */
export const parseCall = <T extends ParseArgsConfig>(call: T): ReturnType<typeof parseArgs<T>> => {
  try {
    return parseArgs(call);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

export const required = (value: string | undefined, name: string): string => {
  if (value === undefined || value === '')
    throw new UsageError(`${name === name.toUpperCase() ? name : `--${name}`} is required`);
  return value;
};

export const portNumber = (value: string | undefined, name: string): number => {
  const port = Number(required(value, name));
  if (!/^\d+$/.test(value ?? '') || port > 65_535) throw new UsageError(`--${name} must be a port from 0 to 65535`);
  return port;
};

/** Throws for the first argument beyond `most`. */
export const requireAtMost = (positionals: readonly string[], most: number): void => {
  const extra = positionals[most];
  if (extra !== undefined) throw new UsageError(`Unexpected argument: ${extra}`);
};

/** A broker's address. */
export const brokerUrl = (text: string | undefined, name: string): string | undefined => {
  if (text === undefined || /^mqtts?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new UsageError(`--${name} must be an address such as mqtts://doors.example.com:8883`);
};

/** SHA-256 of a certificate, however it was copied: with or without colons, in either case. */
export const fingerprintOf = (text: string | undefined, name = 'ca-fingerprint'): string | null => {
  if (text === undefined) return null;
  const hex = text.replaceAll(/[\s:]/g, '').toUpperCase();
  if (!/^[0-9A-F]{64}$/.test(hex)) throw new UsageError(`--${name} must be 32 bytes in hex: AB:CD:…`);
  return hex.match(/../g)!.join(':');
};
