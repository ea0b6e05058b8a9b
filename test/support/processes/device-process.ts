import { once } from 'node:events';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { StartedProgram, startLintel } from './start-program.ts';

type ReadyLine = Readonly<Record<string, string | null>>;

const laptop = join(import.meta.dirname, '../../../hardware-profiles/profiles/laptop-simulator.json');

const deviceCall = (dataDir: string, ...args: readonly string[]): readonly string[] => {
  const page = ['--technician-host', '127.0.0.1', '--technician-port', '0', '--no-mdns'];
  return ['device', '--data', dataDir, ...page, ...args];
};

export const simulatedDeviceCall = (dataDir: string, ...args: readonly string[]): readonly string[] =>
  deviceCall(dataDir, '--profile', laptop, ...args);

/** Starts `lintel device` as a process. Without a profile it waits for one. */
export const startDevice = (dataDir: string, ...args: readonly string[]): Promise<StartedProgram<ReadyLine>> =>
  startLintel(deviceCall(dataDir, ...args));

/** Sends commands to the simulated parts, in this order. Rejects while the controller does not serve. */
const controlSimulatedParts = async (dataDir: string, ...commands: readonly object[]): Promise<void> => {
  const socket = createConnection(join(dataDir, 'parts.sock'));
  await once(socket, 'connect');
  socket.end(commands.map(command => `${JSON.stringify(command)}\n`).join(''));
  socket.resume();
  await once(socket, 'close');
};

export const typeAtSimulatedKeypad = (dataDir: string, keys: string): Promise<void> =>
  controlSimulatedParts(dataDir, ...Array.from(keys, key => ({ key })));

/** `lintel device` as a process, with simulated parts that are controlled over a socket. */
export class DeviceProcess extends StartedProgram<ReadyLine> {
  readonly dataDir: string;

  private constructor(program: StartedProgram<ReadyLine>, dataDir: string) {
    super(program);
    this.dataDir = dataDir;
  }

  static async start(dataDir: string, ...args: readonly string[]): Promise<DeviceProcess> {
    return new DeviceProcess(await startLintel<ReadyLine>(simulatedDeviceCall(dataDir, ...args)), dataDir);
  }

  parts(...commands: readonly object[]): Promise<void> {
    return controlSimulatedParts(this.dataDir, ...commands);
  }

  type(keys: string): Promise<void> {
    return typeAtSimulatedKeypad(this.dataDir, keys);
  }
}
