import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { hardwareBusSchema } from '../drivers.ts';
import modbusSerial from 'modbus-serial';
import { describe, expect, it } from 'vitest';
import { openTestBus } from '../testing/open-test-bus.ts';
import { inputLinesContract } from '../testing/input-lines-contract.ts';
import { outputLinesContract } from '../testing/output-lines-contract.ts';
import { findFreePort } from '@lintel/test/support/find-free-port';

/** The server of modbus-serial, as a board with coils and inputs. */
const startBoard = async (port: number, coils: Set<number>, inputs: Set<number>): Promise<() => Promise<void>> => {
  const server = new modbusSerial.ServerTCP(
    {
      getCoil: (address: number) => coils.has(address),
      getDiscreteInput: (address: number) => inputs.has(address),
      setCoil: (address: number, value: boolean) => void (value ? coils.add(address) : coils.delete(address)),
    },
    { host: '127.0.0.1', port, unitID: 1 },
  );
  await once(server, 'initialized');
  return () => new Promise(done => server.close(() => done()));
};

const open = async () => {
  const port = await findFreePort();
  const [coils, contacts] = [new Set<number>(), new Set<number>([3])];
  let stop = await startBoard(port, coils, contacts);
  const bus = hardwareBusSchema.parse({
    driver: 'modbus-tcp',
    host: '127.0.0.1',
    tcp_port: port,
    allow_network_relay: true,
    outputs: { strike: { unit: 1, coil: 4 } },
    inputs: { contact: { unit: 1, input: 3, active: 'off', debounce_ms: 0 } },
  });
  const { outputs, inputs, close } = await openTestBus(bus);
  await expect.poll(() => [outputs!.faultOf('strike'), inputs!.level('contact')]).toEqual([null, 'inactive']);
  return {
    outputs: outputs!,
    inputs: inputs!,
    isOn: async () => coils.has(4),
    move: async (_: string, level: 'active' | 'inactive') => {
      if (level === 'active') contacts.delete(3);
      else contacts.add(3);
      await expect.poll(() => inputs!.level('contact')).toBe(level);
    },
    unplug: () => stop(),
    plugIn: async () => {
      coils.clear();
      stop = await startBoard(port, coils, contacts);
    },
    close: async () => {
      await close();
      await stop();
    },
  };
};

outputLinesContract('Modbus TCP outputs', open);
inputLinesContract('Modbus TCP inputs', open);

describe('Modbus TCP', () => {
  it('is refused unless the profile allows relays in the network', () => {
    const bus = { driver: 'modbus-tcp', host: 'relay.lan' };
    expect(hardwareBusSchema.safeParse(bus).error?.issues.map(({ path }) => path)).toEqual([['allow_network_relay']]);
    expect(hardwareBusSchema.safeParse({ ...bus, allow_network_relay: false }).success).toBe(false);
    expect(hardwareBusSchema.safeParse({ ...bus, allow_network_relay: true }).success).toBe(true);
    expect(hardwareBusSchema.safeParse({ ...bus, host: 'http://relay.lan/', allow_network_relay: true }).success).toBe(
      false,
    );
  });

  it('reports a confirmation that differs from the request', { tags: ['slow'] }, async () => {
    const sockets: Socket[] = [];
    const server = createServer(socket => {
      sockets.push(socket);
      socket.on('data', request => {
        const isRead = request[7] === 1;
        const body = isRead ? Buffer.from([1, 1, 1, 0]) : Buffer.from([1, 5, 0, 9, 0, 0]);
        const header = Buffer.from([request[0]!, request[1]!, 0, 0, 0, body.length]);
        socket.write(Buffer.concat([header, body]));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { outputs, close } = await openTestBus(
      hardwareBusSchema.parse({
        driver: 'modbus-tcp',
        host: '127.0.0.1',
        tcp_port: port,
        allow_network_relay: true,
        outputs: { strike: { unit: 1, coil: 4 } },
      }),
    );
    await expect.poll(() => outputs!.faultOf('strike'), { timeout: 10_000 }).toMatch(/arrive damaged/);
    await close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});
