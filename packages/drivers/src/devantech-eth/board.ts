import { connect, type Socket } from 'node:net';
import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { RelayLink } from '../relay-boards/confirmed-relays.ts';
import { BusRequestQueue } from '../request-queue/request-queue.ts';

/*
 * Boards of the ETH series. A command is a byte with its parameters; the length of the answer depends on the command, and
 * nothing says which command an answer belongs to. Times are in steps of 100 ms.
 */

const GET_MODULE = 0x10;
const SWITCH_ON = 0x20;
const SWITCH_OFF = 0x21;
const GET_OUTPUTS = 0x24;
const PASSWORD = 0x79;

const SWITCHED = 0;
const PASSWORD_RIGHT = 1;
const STEP_MS = 100;
const MOST_STEPS = 255;
const ANSWER_MS = 2_000;

interface Module {
  readonly name: string;
  readonly relays: number;
}

const modules: ReadonlyMap<number, Module> = new Map([
  [18, { name: 'ETH002', relays: 2 }],
  [19, { name: 'ETH008', relays: 8 }],
  [21, { name: 'ETH8020', relays: 20 }],
]);

/** The board answered, but not as it should. */
class DevantechBoardError extends Error {
  override readonly name = 'DevantechBoardError';
}

export interface DevantechBoardOptions {
  readonly host: string;
  readonly port: number;
  /** Null if the board is used without. Throws if it cannot be read. */
  readonly password: (() => string) | null;
  readonly clock: MonotonicClock;
}

/**
 * Opens its connection with the first command, and again after each error: an answer that comes late would be taken for
 * that of the next command. One command at a time.
 */
export class DevantechBoard {
  readonly #options: DevantechBoardOptions;
  #socket: Socket | null = null;
  #module: Module | null = null;
  #received = Buffer.alloc(0);
  #progress: (error: Error | null) => void = () => undefined;

  constructor(options: DevantechBoardOptions) {
    this.#options = options;
  }

  async readOutputs(): Promise<(relay: number) => boolean> {
    const { relays } = await this.#identify();
    const states = await this.#ask([GET_OUTPUTS], Math.ceil(relays / 8));
    return relay => ((states[(relay - 1) >> 3]! >> ((relay - 1) & 7)) & 1) === 1;
  }

  /** `steps`: the board switches back on its own after this time; 0 for never. */
  async switch(relay: number, on: boolean, steps = 0): Promise<void> {
    const { name, relays } = await this.#identify();
    if (relay > relays) throw new DevantechBoardError(`The ${name} has no relay ${relay}`);
    await this.#unlock();
    const [result] = await this.#ask([on ? SWITCH_ON : SWITCH_OFF, relay, steps], 1);
    if (result === SWITCHED) return;
    const reason = this.#options.password === null ? ': set authentication, if it has a password' : '';
    throw new DevantechBoardError(`The ${name} refuses to switch relay ${relay}${reason}`);
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
    this.#module = null;
    this.#received = Buffer.alloc(0);
  }

  async #identify(): Promise<Module> {
    if (this.#module !== null) return this.#module;
    const [id] = await this.#ask([GET_MODULE], 3);
    const module = modules.get(id!);
    if (module !== undefined) return (this.#module = module);
    const known = [...modules.values()].map(({ name }) => name).join(', ');
    throw new DevantechBoardError(`The module ${id} is not supported, only ${known}`);
  }

  /** Before each command, because the board forgets the password after 30 s without one. */
  async #unlock(): Promise<void> {
    const { password } = this.#options;
    if (password === null) return;
    const [result] = await this.#ask([PASSWORD, ...Buffer.from(password(), 'latin1')], 1);
    if (result !== PASSWORD_RIGHT) throw new DevantechBoardError('The relay board rejects the password');
  }

  async #ask(command: readonly number[], answerBytes: number): Promise<Buffer> {
    try {
      const socket = this.#socket ?? (await this.#connect());
      socket.write(Uint8Array.from(command));
      await this.#until(() => this.#received.length >= answerBytes);
      if (this.#received.length === answerBytes) return this.#take();
      throw new DevantechBoardError('The relay board sends more than it was asked for');
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #take(): Buffer {
    const answer = this.#received;
    this.#received = Buffer.alloc(0);
    return answer;
  }

  async #connect(): Promise<Socket> {
    const { host, port } = this.#options;
    const socket = connect({ host, port, noDelay: true });
    this.#socket = socket;
    let isOpen = false;
    const changed = (error: Error | null): void => {
      if (this.#socket === socket) this.#progress(error);
    };
    socket.on('connect', () => {
      isOpen = true;
      changed(null);
    });
    socket.on('data', bytes => {
      if (this.#socket === socket) this.#received = Buffer.concat([this.#received, bytes]);
      changed(null);
    });
    socket.on('error', error => changed(error));
    socket.on('close', () => changed(new Error(`${host}:${port} closed the connection`)));
    await this.#until(() => isOpen);
    return socket;
  }

  /** Rejects when the connection fails or takes too long. */
  async #until(isDone: () => boolean): Promise<void> {
    const { clock, host, port } = this.#options;
    if (isDone()) return;
    let cancel = (): void => undefined;
    try {
      await new Promise<void>((done, failed) => {
        this.#progress = error => {
          if (error !== null) failed(error);
          else if (isDone()) done();
        };
        cancel = clock.wake(addMilliseconds(clock.now(), ANSWER_MS), () =>
          failed(new Error(`${host}:${port} does not respond`)),
        );
      });
    } finally {
      cancel();
      this.#progress = () => undefined;
    }
  }
}

/** `relays`: the relay of each output, counted from 1. */
export const createDevantechLink = (
  board: DevantechBoard,
  relays: Readonly<Record<string, number>>,
): RelayLink<DevantechBoard> => {
  const queue = new BusRequestQueue();
  return {
    request: (urgency, question) => queue.add(urgency, () => question(board)),
    read: async () => {
      const isOn = await board.readOutputs();
      return output => isOn(relays[output]!);
    },
    write: (_, output, on) => board.switch(relays[output]!, on),
    pulse: pulse_ms => {
      const steps = Math.max(1, Math.round(pulse_ms / STEP_MS));
      return steps > MOST_STEPS ? null : (_, output) => board.switch(relays[output]!, true, steps);
    },
    isBroken: error => error instanceof DevantechBoardError,
    isFailureOfOutput: () => true,
  };
};
