import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'vitest';
import { python } from '../processes/python.ts';

const counterpartPython = (): string => process.env['PYTHON'] ?? python();

const presentModules = new Map<string, boolean>();

export interface PythonPackage {
  readonly name: string;
  /** The modules that the counterpart imports. */
  readonly modules: readonly string[];
  readonly install: string;
}

/** Skips the test if the package is missing. Not Debian packages of a suitable version, so they are skipped in CI too. */
export const requirePythonPackage = (context: TestContext, { name, modules, install }: PythonPackage): void => {
  const findAll = 'import sys, importlib.util as u; sys.exit(not all(u.find_spec(name) for name in sys.argv[1:]))';
  const key = modules.join(' ');
  if (!presentModules.has(key)) {
    const { status } = spawnSync(counterpartPython(), ['-c', findAll, ...modules], { stdio: 'ignore' });
    presentModules.set(key, status === 0);
  }
  if (!presentModules.get(key)) context.skip(`${name} is not installed (${install} in a venv, PYTHON=its python)`);
};

/** A Python program that prints and reads JSON documents, one per line. */
export const startPythonCounterpart = async <First, Message>(program: string, ...args: readonly string[]) => {
  const counterpart = spawn(counterpartPython(), ['-B', program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(counterpart.stdout);
  const ended = once(counterpart, 'exit').then(([code]) => {
    throw new Error(`${program} ended with ${code}`);
  });
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  const messages: Message[] = [];
  lines.on('line', text => messages.push(JSON.parse(text) as Message));
  return {
    first: JSON.parse(line) as First,
    /** Those after the first. */
    messages,
    send: (message: object) => void counterpart.stdin.write(`${JSON.stringify(message)}\n`),
    stop: async () => {
      counterpart.stdin.end();
      await once(counterpart, 'exit');
    },
  };
};

/** What a driver in Python asks for: `send` and `receive` on I2C, `transfer` on SPI. */
export interface BusTransfers {
  send?(bytes: Buffer): void;
  receive?(length: number): Uint8Array;
  transfer?(bytes: Buffer): Uint8Array;
}

type TransferRequest = { readonly send: string } | { readonly receive: number } | { readonly transfer: string };

const executeTransfer = (bus: BusTransfers, request: TransferRequest): Uint8Array => {
  if ('receive' in request) return bus.receive!(request.receive);
  if ('transfer' in request) return bus.transfer!(Buffer.from(request.transfer, 'hex'));
  bus.send!(Buffer.from(request.send, 'hex'));
  return new Uint8Array();
};

/** Runs a program of this folder, a driver in Python whose transfers reach a simulated chip, and returns its result. */
export const runPythonDriver = async <Result>(
  bus: BusTransfers,
  program: string,
  ...args: readonly string[]
): Promise<Result> => {
  const driver = spawn(counterpartPython(), ['-B', join(import.meta.dirname, program), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(driver.stdout)) {
    const message = JSON.parse(line) as TransferRequest | { readonly result: Result };
    if ('result' in message) return message.result;
    let response: { bytes: string } | { error: string };
    try {
      response = { bytes: Buffer.from(executeTransfer(bus, message)).toString('hex') };
    } catch (error) {
      response = { error: (error as Error).message };
    }
    driver.stdin.write(`${JSON.stringify(response)}\n`);
  }
  throw new Error(`${program} ended without a result`);
};
