import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdGenerator } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { Aedes } from 'aedes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ControllerIdentity } from '../support/devices/controller-identity.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { startBridge } from '../support/processes/bridge-process.ts';
import type { StartedProgram } from '../support/processes/start-program.ts';

/** A server on a fixed port that can be cut off with all its connections, and come back. */
class InterruptibleServer {
  readonly #serve: (socket: Socket) => void;
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  port = 0;

  constructor(serve: (socket: Socket) => void) {
    this.#serve = serve;
  }

  async start(): Promise<void> {
    this.#server = createServer(socket => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => this.#sockets.delete(socket));
      this.#serve(socket);
    });
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    ({ port: this.port } = this.#server.address() as AddressInfo);
  }

  /** Resets the connections, as the crash of a machine does. */
  async stop(): Promise<void> {
    const closed = once(this.#server!, 'close');
    this.#server!.close();
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await closed;
  }
}

/** Accepts mail, and breaks off every other conversation at a different command. */
const createMailServer = () => {
  let conversations = 0;
  const stats = { mails: 0 };
  const server = new InterruptibleServer(socket => {
    const breaksAt = ++conversations % 2 === 0 ? conversations % 6 : Number.POSITIVE_INFINITY;
    let commands = 0;
    /** The mail so far; null between mails. */
    let mail: string | null = null;
    socket.write('220 test\r\n');
    socket.on('data', chunk => {
      const text = String(chunk);
      if (mail !== null) {
        mail += text;
        if (!mail.endsWith('\r\n.\r\n')) return;
        mail = null;
        stats.mails++;
        socket.write('250 kept\r\n');
        return;
      }
      if (++commands > breaksAt) return socket.resetAndDestroy();
      if (text.startsWith('DATA')) mail = '';
      if (text.startsWith('QUIT')) return socket.end('221 bye\r\n');
      socket.write(mail === null ? '250 fine\r\n' : '354 go on\r\n');
    });
  });
  return { server, stats };
};

/** Answers webhook deliveries with 204. */
const createReceiver = () => {
  const stats = { deliveries: 0 };
  const server = new InterruptibleServer(socket => {
    socket.on('data', chunk => {
      if (!String(chunk).startsWith('POST')) return;
      stats.deliveries++;
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
  });
  return { server, stats };
};

/** The first retry of a webhook comes after three seconds. */
const WITHIN = { timeout: 60_000, interval: 500 };
const BROKER_PASSWORD = 'broker-password-of-the-bridge';

const campaign = (rounds: number) => {
  const home = mkdtempSync(join(tmpdir(), 'lintel-peers-'));
  const mail = createMailServer();
  const receiver = createReceiver();
  let aedes: Aedes;
  let subscriptions = 0;
  let broker: InterruptibleServer;
  let bridge: StartedProgram;
  let token: string;
  let ids: Record<string, string>;

  beforeAll(async () => {
    aedes = await Aedes.createBroker();
    aedes.on('subscribe', () => subscriptions++);
    broker = new InterruptibleServer(socket => void aedes.handle(socket));
    for (const server of [mail.server, receiver.server, broker]) await server.start();
    const file = join(home, 'seed.json');
    const members = [{ key: 'ann', name: 'Ann', emails: ['ann@example.test'] }];
    const sites = [{ key: 'site', name: 'Main', timezone: 'UTC' }];
    writeFileSync(file, JSON.stringify({ organization: { key: 'org', name: 'Hotel' }, members, sites }));
    ({ ids } = JSON.parse((await runLintel('seed', file, '--data', home, '--json')).stdout) as {
      ids: Record<string, string>;
    });
    token = (
      await runLintel('token', '--data', home, '--organization', ids['org']!, '--scope', 'full_read_write')
    ).stdout.trim();
    bridge = await startBridge(
      home,
      `--mqtt-url=mqtt://bridge:${BROKER_PASSWORD}@127.0.0.1:${broker.port}`,
      `--smtp-url=smtp://127.0.0.1:${mail.server.port}`,
      '--mail-from=doors@example.test',
      '--webhook-allow=127.0.0.0/8',
    );
  });
  afterAll(async () => {
    await bridge.stop();
    for (const server of [mail.server, receiver.server, broker]) await server.stop();
    aedes.close();
    rmSync(home, { recursive: true, force: true });
  });

  const request = (path: string, body: object): Promise<Response> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return fetch(`${bridge.ready['http']}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const post = async (path: string, body: object) =>
    (await (await request(path, body)).json()) as Record<string, unknown>;
  const call = async (path: string, body: object): Promise<number> => {
    const response = await request(path, body);
    await response.arrayBuffer();
    return response.status;
  };

  let invited = 0;
  /** Unlike login codes, invitations are not limited. */
  const inviteUser = (): Promise<number> =>
    call(`/admin/v1/organizations/${ids['org']}/users`, { email: `user-${++invited}@example.test`, role: 'viewer' });

  it(`keeps running and serving while each of them fails ${rounds} times`, async () => {
    const url = `http://127.0.0.1:${receiver.server.port}/hook`;
    expect(await call('/v2/webhooks', { url, filter: [{ object_type: 'member' }] })).toBe(200);
    expect(await call('/v2/members', { name: 'Ann' })).toBe(200);
    await expect.poll(() => receiver.stats.deliveries).toBeGreaterThan(0);
    await call('/guest/v1/login', { email: 'ann@example.test' });
    await expect.poll(() => mail.stats.mails).toBeGreaterThan(0);
    for (let round = 0; round < rounds; round++) {
      const before = subscriptions;
      const delivered = receiver.stats.deliveries;
      const mailed = mail.stats.mails;
      const load = Array.from({ length: 5 }, () => call('/v2/members', { name: 'Ann' }));
      const logins = call('/guest/v1/login', { email: 'ann@example.test' });
      for (const server of [broker, receiver.server, mail.server]) await server.stop();
      expect(await Promise.all(load)).toEqual([200, 200, 200, 200, 200]);
      await logins;
      for (const server of [broker, receiver.server, mail.server]) await server.start();
      await expect.poll(() => subscriptions).toBeGreaterThan(before);
      // What failed in the outage is delivered after it, and so is what follows.
      await expect.poll(() => receiver.stats.deliveries, WITHIN).toBeGreaterThanOrEqual(delivered + load.length);
      await expect
        .poll(async () => {
          // The mail server breaks off every other conversation.
          if (mail.stats.mails === mailed) expect(await inviteUser()).toBe(200);
          return mail.stats.mails;
        }, WITHIN)
        .toBeGreaterThan(mailed);
    }
    expect(bridge.process.exitCode).toBeNull();
    expect((await fetch(`${bridge.ready['http']}/readyz`)).status).toBe(200);
  });

  it('keeps the credentials of the broker to itself', async () => {
    const publicAddress = `mqtt://127.0.0.1:${broker.port}`;
    expect(bridge.ready['mqtt']).toBe(publicAddress);
    const now = () => instant(Date.now());
    const identity = new ControllerIdentity({ services: { newId: createIdGenerator(now, randomBytes) } } as never);
    const tickets = `/admin/v1/organizations/${ids['org']}/claim_tickets`;
    const { ticket } = await post(tickets, { site_id: ids['site'], expires_in: 3600 });
    const claimed = await post('/claim/v1/redeem', identity.redemption({ ticket: ticket as string }));
    expect(claimed['brokers']).toEqual({ mqtts: null, mqtt: publicAddress });
    expect(JSON.stringify(claimed)).not.toContain(BROKER_PASSWORD);
    expect(bridge.log()).not.toContain(BROKER_PASSWORD);
  });
};

describe('a bridge whose broker, mail server and webhook receiver fail', { tags: ['slow'] }, () => {
  campaign(10);
});
