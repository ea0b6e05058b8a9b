import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';
import { requirePythonPackage, startPythonCounterpart } from './python-counterpart.ts';

const program = fileURLToPath(new URL('pymodbus-server.py', import.meta.url));

export const requirePymodbus = (context: TestContext): void =>
  requirePythonPackage(context, {
    name: 'pymodbus',
    modules: ['serial', 'pymodbus.simulator'],
    install: 'pip install "pymodbus[serial]>=3.15"',
  });

export interface ModbusWrite {
  readonly function: number;
  readonly address: number;
  readonly value: number;
}

/** A Modbus server that is not of this project. */
export const startPymodbusServer = async (kind: 'tcp' | 'rtu') => {
  const server = await startPythonCounterpart<{ address: number | string }, ModbusWrite>(program, kind);
  return {
    /** The port or the path of the terminal. */
    address: server.first.address,
    writes: server.messages,
    /** Sets what function 2 or 4 reads. */
    set: (input: ModbusWrite) => server.send(input),
    stop: server.stop,
  };
};
