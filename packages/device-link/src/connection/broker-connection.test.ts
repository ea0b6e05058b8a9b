import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { processTimers } from '@lintel/service/timing/timers';
import { ManualTimers } from '@lintel/test/support/manual-timers';
import { BrokerConnection } from './broker-connection.ts';

/** The waiting times between attempts to reach a missing broker. */
const waitsFor = async (urls: readonly string[], attempts: number): Promise<number[]> => {
  const timers = new ManualTimers();
  const connection = new BrokerConnection({
    urls: () => urls,
    identity: () => {
      throw new Error('no broker');
    },
    filters: () => [],
    will: () => ({ topic: '', payload: new Uint8Array() }),
    now: () => 0,
    onConnected: () => undefined,
    onDisconnected: () => undefined,
    onMessage: () => undefined,
    log: () => undefined,
    random: () => 1,
    timers,
  });
  connection.start();
  const waits: number[] = [];
  while (waits.length < attempts) {
    await expect.poll(() => timers.next).not.toBeNull();
    waits.push(timers.next!);
    await timers.fire();
  }
  await connection.stop();
  return waits;
};

describe('BrokerConnection', () => {
  it('waits longer after each failure, up to a minute', async () => {
    expect(await waitsFor(['mqtts://doors.example.com:8883'], 9)).toEqual([
      500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000,
    ]);
  });

  it('retries a broker on the same machine every three seconds', async () => {
    expect(await waitsFor(['mqtt://127.0.0.1:1883'], 6)).toEqual([500, 1000, 2000, 3000, 3000, 3000]);
  });

  it('does not if one of several brokers is on another machine', async () => {
    const waits = await waitsFor(['mqtt://127.0.0.1:1883', 'mqtts://doors.example.com:8883'], 5);
    expect(waits.at(-1)).toBe(8000);
  });

  describe('with a broker that stops responding', () => {
    const CONNECT = 0x10;
    const SUBSCRIBE = 0x82;

    /** Responds to this many packets and then stays silent. `grants`: one result per filter. */
    const brokerWith = async (answers: number, grants: readonly number[] = [1]) => {
      const sockets: Socket[] = [];
      const server = createServer(socket => {
        sockets.push(socket);
        let left = answers;
        socket.on('data', ([kind, , high, low]) => {
          if (left-- <= 0) return;
          if (kind === CONNECT) socket.write(Buffer.of(0x20, 2, 0, 0));
          if (kind === SUBSCRIBE) socket.write(Buffer.of(0x90, 2 + grants.length, high!, low!, ...grants));
        });
        socket.on('error', () => undefined);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return { url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`, server, sockets };
    };

    const connectionTo = (url: string, limits: { readonly connectMs?: number } = {}, filters = ['down/#']) => {
      const reported: string[] = [];
      const rejected: string[] = [];
      const enrollment = { device_id: 'dev_1', serial: '01' };
      const connection = new BrokerConnection({
        urls: () => [url],
        identity: () => ({ enrollment, keys: { sign: () => new Uint8Array(64) } }) as never,
        filters: () => filters,
        will: () => ({ topic: 'up/goodbye', payload: new Uint8Array() }),
        now: () => 0,
        onConnected: (_, rejectedFilters) => {
          rejected.push(...rejectedFilters);
          reported.push('connected');
        },
        onDisconnected: () => reported.push('disconnected'),
        onMessage: () => undefined,
        log: (_, message, facts = {}) => reported.push([message, ...Object.values(facts)].join(' ')),
        random: () => 1,
        timers: { after: (ms, work) => processTimers.after(Math.min(ms, 300), work) },
        limits,
      });
      return { connection, reported, rejected };
    };

    it.each([
      ['before the connection is acknowledged', 0],
      ['before the subscription is acknowledged', 1],
      ['after the subscription is acknowledged', 2],
    ])('can be stopped %s', async (_when, answers) => {
      const { url, server, sockets } = await brokerWith(answers);
      const { connection, reported } = connectionTo(url);
      connection.start();
      if (answers === 2) await expect.poll(() => reported).toContain('connected');
      else await expect.poll(() => sockets.length).toBeGreaterThan(0);
      const closed = once(sockets[0]!, 'close');
      await connection.stop({ topic: 'up/goodbye', payload: new Uint8Array() });
      await closed;
      server.close();
      await once(server, 'close');
    });

    it('reports the filters that the broker rejects', async () => {
      const { url, server } = await brokerWith(2, [1, 0x80]);
      const { connection, reported, rejected } = connectionTo(url, {}, ['down/a', 'down/b']);
      connection.start();
      await expect.poll(() => reported).toContain('connected');
      expect(rejected).toEqual(['down/b']);
      await connection.stop();
      server.close();
      await once(server, 'close');
    });

    it('disconnects when the subscription is not acknowledged in time', async () => {
      const { url, server } = await brokerWith(1);
      const { connection, reported } = connectionTo(url, { connectMs: 50 });
      connection.start();
      await expect.poll(() => reported.join()).toContain('the broker does not respond');
      await connection.stop();
      server.close();
      await once(server, 'close');
    });
  });
});
