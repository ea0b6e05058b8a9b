import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';
import { requirePythonPackage, startPythonCounterpart } from './python-counterpart.ts';

const peripheralProgram = fileURLToPath(new URL('libosdp-peripheral.py', import.meta.url));
const panelProgram = fileURLToPath(new URL('libosdp-panel.py', import.meta.url));

export const requireLibosdp = (context: TestContext): void =>
  requirePythonPackage(context, {
    name: 'libosdp',
    modules: ['osdp', 'osdp_sys'],
    install: 'pip install "libosdp>=3.2"',
  });

/** A command that the reader has executed, or a change of the secure channel. */
export interface LibosdpMessage {
  readonly command?: string;
  readonly is_secure?: boolean;
  readonly [field: string]: unknown;
}

/** An OSDP peripheral at address 1 that is not of this project. Not paired without a key. */
export const startLibosdpPeripheral = async (key?: Buffer) => {
  const args = key === undefined ? [] : [key.toString('hex')];
  const peripheral = await startPythonCounterpart<{ path: string }, LibosdpMessage>(peripheralProgram, ...args);
  return {
    path: peripheral.first.path,
    messages: peripheral.messages,
    isSecure: () => peripheral.messages.findLast(({ is_secure }) => is_secure !== undefined)?.is_secure ?? false,
    commands: (name: string) => peripheral.messages.filter(({ command }) => command === name),
    tap: (card: string, bits: number, reader = 0) => peripheral.send({ card, bits, reader }),
    press: (keys: string, reader = 0) => peripheral.send({ keys: Buffer.from(keys).toString('hex'), reader }),
    setInputs: (...inputs: readonly number[]) => peripheral.send({ inputs }),
    stop: peripheral.stop,
  };
};

/** An event of the reader. */
export interface LibosdpEvent {
  readonly event: string;
  readonly [field: string]: unknown;
}

/** A control panel that is not of this project, for a reader at address 1. */
export const startLibosdpPanel = async (path: string, key: Buffer) => {
  const panel = await startPythonCounterpart<object, LibosdpEvent>(panelProgram, path, key.toString('hex'));
  return {
    events: panel.messages,
    pulseOutput: (output: number, ticks: number) => panel.send({ output, ticks }),
    stop: panel.stop,
  };
};
