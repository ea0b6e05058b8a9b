import { PassThrough } from 'node:stream';
import { command } from './osdp-reader-cli-command.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requireProgram } from '@lintel/test/support/require-program';
import { SimulatedPeripheral } from '@lintel/test/support/osdp-peripheral/simulated-peripheral';
import { openPty, type Pty, requiredPython } from '@lintel/test/support/processes/pty';

let pty: Pty;
beforeEach(async context => {
  requireProgram(context, requiredPython);
  pty = await openPty();
});
afterEach(() => pty.close());

const connect = (key: Buffer | null = null): SimulatedPeripheral => {
  const reader = new SimulatedPeripheral({
    address: 0,
    key,
    write: bytes => void pty.write(bytes).catch(() => undefined),
  });
  pty.onBytes(bytes => reader.receive(bytes));
  return reader;
};

const run = async (...args: readonly string[]) => {
  const [stdout, stderr] = [[] as string[], [] as string[]];
  const code = await command.run(['--port', pty.path, ...args], {
    stdin: new PassThrough(),
    stdout: { write: text => stdout.push(text) },
    stderr: { write: text => stderr.push(text) },
  });
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
};

describe('lintel osdp-reader', () => {
  it('sets the address and the baud rate of a reader', async () => {
    const reader = connect();
    const result = await run('--address', '0', '--new-address', '3', '--new-baud', '115200');
    expect(result).toEqual({ code: 0, stdout: 'The reader now has the address 3 and 115200 baud.\n', stderr: '' });
    expect([reader.address, reader.baudRate]).toEqual([3, 115_200]);
  });

  it('does not change a paired reader, and says what to do', async () => {
    const reader = connect(Buffer.alloc(16, 7));
    const { code, stderr } = await run('--address', '0', '--new-address', '3');
    expect([code, reader.address]).toEqual([1, 0]);
    expect(stderr).toMatch(/a paired reader must be reset first/);
  });

  it('reports a reader that does not respond, or has no such command', async () => {
    const reader = connect();
    expect((await run('--address', '9', '--new-address', '3')).stderr).toMatch(/No reader responds at address 9/);
    reader.refusals.set(0x6e, 3);
    expect((await run('--address', '0', '--new-address', '3')).stderr).toMatch(/set the address at the reader/);
  });

  it.each([
    [['--address', '0'], '--new-address is required'],
    [['--address', '127', '--new-address', '1'], '--address must be a number from 0 to 126'],
    [['--address', '0', '--new-address', '1', '--new-baud', '1234'], '--new-baud must be one of'],
  ])('rejects %j', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr.startsWith(message)]).toEqual([2, true]);
  });
});
