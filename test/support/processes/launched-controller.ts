import { once } from 'node:events';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { LaunchedProgram } from './launched-program.ts';

const laptop = join(import.meta.dirname, '../../../hardware-profiles/profiles/laptop-simulator.json');

/** A controller as systemd runs it. */
export class LaunchedController extends LaunchedProgram {
  protected override call(): readonly string[] {
    const page = ['--technician-host', '127.0.0.1', '--technician-port', '0', '--no-mdns'];
    return ['device', '--profile', laptop, '--data', this.options.dataDir, ...page];
  }

  /** Types at the keypad. Rejects while the controller does not serve. */
  async type(keys: string): Promise<void> {
    const socket = createConnection(join(this.options.dataDir, 'parts.sock'));
    await once(socket, 'connect');
    socket.end(Array.from(keys, key => `${JSON.stringify({ key })}\n`).join(''));
    socket.resume();
    await once(socket, 'close');
  }

  /** Leaves no unfinished entry, which would delay an update. */
  override use(): Promise<void> {
    return this.type('1*');
  }
}
