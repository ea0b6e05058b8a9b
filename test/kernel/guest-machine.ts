import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGuestNetwork } from '../image/virtual-machine/guest-network.ts';
import type { GuestCommands } from './guest/guest-command-types.ts';

export interface GuestMachineOptions {
  readonly kernel: string;
  readonly initramfs: string;
  readonly folder: string;
  /** Ports of the host that the guest reaches. */
  readonly ports: readonly number[];
}

type Result<N extends keyof GuestCommands> = Awaited<ReturnType<GuestCommands[N]>>;

/** Accepts the connection of the program in the guest. */
export class AgentServer {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<AgentServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new AgentServer(server);
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  async accept(): Promise<Socket> {
    const [socket] = (await once(this.#server, 'connection')) as [Socket];
    this.#server.close();
    return socket;
  }
}

/** A virtual machine that consists of memory only. */
export class GuestMachine {
  readonly #process: ChildProcess;
  readonly #agent: Socket;
  readonly #replies: AsyncIterator<string>;
  readonly #console: string;

  private constructor(process: ChildProcess, agent: Socket, console: string) {
    this.#process = process;
    this.#agent = agent;
    this.#replies = createInterface({ input: agent })[Symbol.asyncIterator]();
    this.#console = console;
  }

  /** Resolves when the program in the guest has started everything. */
  static async start({ kernel, initramfs, folder, ports }: GuestMachineOptions, server: AgentServer) {
    const console = join(folder, 'console');
    const settings: readonly (readonly [string, string])[] = [
      ['-M', 'q35'],
      ['-cpu', 'Nehalem'],
      ['-m', '2048'],
      ['-smp', '2'],
      ['-accel', 'tcg,thread=multi'],
      ['-display', 'none'],
      ['-serial', `file:${console}`],
      ['-kernel', kernel],
      ['-initrd', initramfs],
      ['-append', 'console=ttyS0 quiet panic=-1'],
      ['-device', 'virtio-rng-pci'],
    ];
    const network = createGuestNetwork([...ports, server.port]);
    // Is killed when this process ends for any reason.
    const call = ['--pdeathsig', 'KILL', 'qemu-system-x86_64', '-nodefaults', '-no-reboot'];
    const machine = spawn('setpriv', [...call, ...settings.flat(), ...network], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const ended = once(machine, 'exit').then(() => {
      throw new Error(`The virtual machine has ended:\n${readFileSync(console, 'utf8')}`);
    });
    return new GuestMachine(machine, await Promise.race([server.accept(), ended]), console);
  }

  /** What the programs of the guest have printed. */
  console(): string {
    return readFileSync(this.#console, 'utf8');
  }

  async order<N extends keyof GuestCommands>(name: N, args: Parameters<GuestCommands[N]>[0]): Promise<Result<N>> {
    this.#agent.write(`${JSON.stringify({ name, args })}\n`);
    const { value, done } = await this.#replies.next();
    if (done === true) throw new Error(`The program in the guest has ended:\n${this.console()}`);
    const reply = JSON.parse(value) as { readonly value: Result<N>; readonly error?: string };
    if (reply.error !== undefined) throw new Error(`${name}: ${reply.error}`);
    return reply.value;
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await gone;
  }
}
