import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A link between a controller and the bridge with a limited bandwidth. */
export class LimitedLink {
  readonly #process: ChildProcess;
  readonly port: number;
  readonly #connected: Promise<bigint>;

  private constructor(child: ChildProcess, port: number) {
    this.#process = child;
    this.port = port;
    this.#connected = once(child, 'message').then(([{ connectedAt }]) =>
      BigInt((connectedAt as string | undefined) ?? 0),
    );
  }

  static async start(targetPort: number, bytesPerSecond: number): Promise<LimitedLink> {
    const script = join(import.meta.dirname, 'limited-link-process.ts');
    const child = fork(script, [String(targetPort), String(bytesPerSecond)]);
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return new LimitedLink(child, port);
  }

  /** When the first client connected, on the monotonic clock in nanoseconds. */
  connectedAt(): Promise<bigint> {
    return this.#connected;
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill();
    await exited;
  }
}

/** Seconds that bare bytes take over such a link. */
export const measureBareTransfer = async (bytes: number, bytesPerSecond: number): Promise<number> => {
  const server = createServer(socket => socket.end(Buffer.alloc(bytes)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const link = await LimitedLink.start((server.address() as AddressInfo).port, bytesPerSecond);
  const start = performance.now();
  const client = connect({ port: link.port, host: '127.0.0.1' });
  client.resume();
  await once(client, 'end');
  const seconds = (performance.now() - start) / 1000;
  if (client.bytesRead !== bytes) throw new Error(`${client.bytesRead} of ${bytes} bytes arrived`);
  await link.stop();
  server.close();
  return seconds;
};
