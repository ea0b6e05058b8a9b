import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { checkProfile } from '@lintel/hardware-profiles/check-profile';
import { buildWiringGroups } from '@lintel/hardware-profiles/wiring-groups';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkProfileHardware } from '../doctor.ts';
import { hardwareBusSchema } from '../drivers.ts';
import { DevantechBoard } from './board.ts';
import { openTestBus } from '../testing/open-test-bus.ts';
import { outputLinesContract } from '../testing/output-lines-contract.ts';
import { createRecordedHost, recordedHardware } from '../testing/recorded-host.ts';

const ETH008 = 19;

/** A board as the manual describes it. Its pulses run by its own clock. */
class SimulatedEthBoard {
  readonly clock = new VirtualClock();
  readonly commands: string[] = [];
  readonly #on = new Set<number>();
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  port = 0;
  module = ETH008;
  password: string | null = null;
  isSilent = false;

  async start(): Promise<void> {
    const server = createServer(socket => {
      this.#sockets.add(socket);
      let unlockedUntil: MonotonicTime | null = null;
      const unlock = (): void => void (unlockedUntil = addMilliseconds(this.clock.now(), 30_000));
      socket.on('error', () => undefined);
      socket.on('data', bytes => {
        this.commands.push(bytes.toString('hex'));
        if (this.isSilent) return;
        const [command, relay = 0, steps = 0] = bytes;
        const isOpen = this.password === null || (unlockedUntil !== null && this.clock.now() < unlockedUntil);
        if (command === 0x10) socket.write(Uint8Array.of(this.module, 1, 6));
        else if (command === 0x24) socket.write(this.#states());
        else if (command === 0x79) {
          const isRight = bytes.subarray(1).toString('latin1') === this.password;
          if (isRight) unlock();
          socket.write(Uint8Array.of(isRight ? 1 : 2));
        } else if (command === 0x20 || command === 0x21) {
          if (isOpen) this.#switch(relay, command === 0x20, steps);
          socket.write(Uint8Array.of(isOpen ? 0 : 1));
        }
      });
    });
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await new Promise(done => this.#server!.close(done));
  }

  answerLate(byte: number): void {
    for (const socket of this.#sockets) if (!socket.destroyed) socket.write(Uint8Array.of(byte));
  }

  /** After a power loss all relays are off. */
  reset(): void {
    this.#on.clear();
  }

  isOn(relay: number): boolean {
    return this.#on.has(relay);
  }

  #switch(relay: number, on: boolean, steps: number): void {
    const set = (isOn: boolean): void => void (isOn ? this.#on.add(relay) : this.#on.delete(relay));
    set(on);
    if (steps > 0) this.clock.wake(addMilliseconds(this.clock.now(), steps * 100), () => set(!on));
  }

  #states(): Uint8Array {
    const bytes = new Uint8Array(this.module === 21 ? 3 : 1);
    for (const relay of this.#on) bytes[(relay - 1) >> 3]! |= 1 << ((relay - 1) & 7);
    return bytes;
  }
}

let closing: (() => unknown)[] = [];
beforeEach(() => void (closing = []));
afterEach(async () => {
  for (const close of closing.reverse()) await close();
});

const settings = { driver: 'devantech-eth', host: '127.0.0.1', allow_network_relay: true } as const;

const writePassword = (dataDir: string): void => {
  const path = join(dataDir, 'relay-bus.password');
  writeFileSync(path, 'apple\n');
  chmodSync(path, 0o600);
};

const open = async (prepareBoard: (board: SimulatedEthBoard) => void = () => undefined, changes: object = {}) => {
  const board = new SimulatedEthBoard();
  prepareBoard(board);
  await board.start();
  const bus = hardwareBusSchema.parse({
    ...settings,
    tcp_port: board.port,
    authentication: 'none',
    outputs: { strike: { relay: 2 } },
    ...changes,
  });
  const { outputs, close } = await openTestBus(bus, { prepare: writePassword });
  return { board, outputs: outputs!, close };
};

const openForTest = async (...args: Parameters<typeof open>) => {
  const opened = await open(...args);
  closing.push(() => opened.board.stop(), opened.close);
  return opened;
};

const openBench = async () => {
  const { board, outputs, close } = await open();
  await expect.poll(() => board.commands.length).toBeGreaterThan(0);
  return {
    outputs,
    isOn: async () => board.isOn(2),
    unplug: () => board.stop(),
    plugIn: async () => {
      board.reset();
      await board.start();
    },
    close: async () => {
      await close();
      await board.stop();
    },
  };
};

outputLinesContract('Devantech ETH board', openBench);

describe('Devantech ETH board', () => {
  it('sends the bytes of the manual, and lets the board end a pulse', async () => {
    const { board, outputs } = await openForTest();
    await expect.poll(() => board.commands.slice(0, 3)).toEqual(['10', '24', '210200']);
    outputs.energize('strike', 700);
    await expect.poll(() => board.isOn(2)).toBe(true);
    expect(board.commands).toContain('200207');
    board.clock.advance(700);
    expect(board.isOn(2)).toBe(false);
  });

  it('switches on until released if the pulse is longer than the board can time', async () => {
    const { board, outputs } = await openForTest();
    outputs.energize('strike', 30_000);
    await expect.poll(() => board.commands).toContain('200200');
    outputs.release('strike');
    await expect.poll(() => board.isOn(2)).toBe(false);
  });

  it('sends the password before each command, because the board forgets it', async () => {
    const protect = (board: SimulatedEthBoard): void => void (board.password = 'apple');
    const { board, outputs } = await openForTest(protect, { authentication: 'password' });
    await expect.poll(() => board.commands).toContain('796170706c65');
    board.clock.advance(60_000);
    outputs.energize('strike', null);
    await expect.poll(() => board.isOn(2)).toBe(true);
  });

  it('has a fault at the output while the board rejects or demands the password', async () => {
    const other = (board: SimulatedEthBoard): void => void (board.password = 'pear');
    const rejected = await openForTest(other, { authentication: 'password' });
    await expect.poll(() => rejected.outputs.faultOf('strike')).toMatch(/rejects the password/);
    const demanded = await openForTest(other);
    await expect.poll(() => demanded.outputs.faultOf('strike')).toMatch(/refuses to switch relay 2: set authentic/);
    expect(demanded.board.isOn(2)).toBe(false);
  });

  it('switches the 20 relays of an ETH8020, and no relay that a smaller board lacks', async () => {
    const large = await openForTest(board => void (board.module = 21), { outputs: { strike: { relay: 20 } } });
    large.outputs.energize('strike', null);
    await expect.poll(() => large.board.isOn(20)).toBe(true);
    const small = await openForTest(undefined, { outputs: { strike: { relay: 9 } } });
    await expect.poll(() => small.outputs.faultOf('strike')).toBe('The ETH008 has no relay 9');
    const unknown = await openForTest(board => void (board.module = 99));
    await expect.poll(() => unknown.outputs.faultOf('strike')).toMatch(/module 99 is not supported/);
  });

  it('does not take a late answer for that of the next command', async () => {
    const simulated = new SimulatedEthBoard();
    await simulated.start();
    closing.push(() => simulated.stop());
    const clock = new VirtualClock();
    const board = new DevantechBoard({ host: '127.0.0.1', port: simulated.port, password: null, clock });
    closing.push(() => board.close());
    const before = await board.readOutputs();
    expect(before(1)).toBe(false);
    simulated.isSilent = true;
    const unanswered = board.readOutputs().catch((error: Error) => error.message);
    await expect.poll(() => simulated.commands.length).toBe(3);
    clock.advance(2_000);
    expect(await unanswered).toMatch(/does not respond/);
    simulated.isSilent = false;
    simulated.answerLate(0xff);
    const after = await board.readOutputs();
    expect(after(1)).toBe(false);
  });
});

describe('Devantech ETH board in a profile', () => {
  const profile = loadProfiles().find(({ product_id }) => product_id === 'rpi-network-relays')!;
  const withBoards = (...boards: readonly object[]) =>
    checkProfile({
      ...profile,
      buses: {
        ...profile.buses,
        ...Object.fromEntries(boards.map((board, index) => [`eth_${index}`, { ...settings, ...board }])),
      },
    });

  it('is rejected without the permission for relays in the network', () => {
    const { allow_network_relay: _, ...rest } = settings;
    expect(hardwareBusSchema.safeParse(rest).error?.issues.map(({ path }) => path)).toEqual([['allow_network_relay']]);
  });

  it('uses each board and each relay once', () => {
    const checked = withBoards(
      { outputs: { one: { relay: 1 }, two: { relay: 1 } } },
      { outputs: { three: { relay: 3 } } },
    );
    expect(checked).toEqual({
      ok: false,
      problems: [
        { path: 'buses.eth_1.host', message: '127.0.0.1:17494 is already used by bus eth_0' },
        { path: 'buses.eth_0.outputs.two.relay', message: 'relay 1 is already used' },
      ],
    });
  });

  it('is in the wiring and in the findings of the doctor', () => {
    const checked = withBoards({ outputs: { side: { relay: 3, wire: 'side door' } } });
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    const groups = buildWiringGroups(checked.profile).filter(({ title, board }) => /ETH/.test(`${title} ${board}`));
    expect(groups.flatMap(({ rows }) => rows.map(({ from, to }) => [from, to]))).toEqual([
      ['network', 'relay board at 127.0.0.1'],
      ['relay 3', 'side door'],
    ]);
    const findings = checkProfileHardware(checked.profile, createRecordedHost({}), recordedHardware());
    expect(findings.map(({ text }) => text)).toContain('eth_0: relays at 127.0.0.1 in the network are not checked');
  });
});
