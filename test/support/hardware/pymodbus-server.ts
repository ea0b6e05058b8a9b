import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';

const program = fileURLToPath(new URL('pymodbus-server.py', import.meta.url));
const python = process.env['PYTHON'] ?? 'python3';

/** Not a Debian package of a suitable version, so it is skipped in CI too. */
export const requirePymodbus = (context: TestContext): void => {
  const isPresent = spawnSync(python, ['-c', 'import serial, pymodbus.simulator'], { stdio: 'ignore' }).status === 0;
  if (!isPresent)
    context.skip('pymodbus is not installed (pip install "pymodbus[serial]>=3.15" in a venv, PYTHON=its python)');
};

export interface ModbusWrite {
  readonly function: number;
  readonly address: number;
  readonly value: number;
}

/** A Modbus server that is not of this project. */
export const startPymodbusServer = async (kind: 'tcp' | 'rtu') => {
  const server = spawn(python, [program, kind], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(server.stdout);
  const [first] = (await once(lines, 'line')) as [string];
  const { address } = JSON.parse(first) as { address: number | string };
  const writes: ModbusWrite[] = [];
  lines.on('line', line => writes.push(JSON.parse(line) as ModbusWrite));
  return {
    /** The port or the path of the terminal. */
    address,
    writes,
    /** Sets what function 2 or 4 reads. */
    set: (input: ModbusWrite) => void server.stdin.write(`${JSON.stringify(input)}\n`),
    stop: async () => {
      server.stdin.end();
      await once(server, 'exit');
    },
  };
};
