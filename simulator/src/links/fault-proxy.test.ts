import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FaultProxy } from './fault-proxy.ts';

let server: Server;
let link: FaultProxy;
let watched: string[];
let now: number;
let waiting: { readonly at: number; readonly work: () => void }[];
const clients: Socket[] = [];

beforeEach(async () => {
  server = createServer(socket => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  watched = [];
  now = 0;
  waiting = [];
  link = await FaultProxy.open({
    watch: () => chunk => void watched.push(chunk.toString()),
    onChange: () => undefined,
    slowMs: 40,
    now: () => now,
    timers: {
      after: (ms, work) => {
        waiting.push({ at: now + ms, work });
        return () => undefined;
      },
    },
  });
  link.target = (server.address() as { port: number }).port;
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await link.close();
  server.close();
});

const advance = (ms: number): void => {
  now += ms;
  for (const timer of waiting.splice(0)) {
    if (timer.at <= now) timer.work();
    else waiting.push(timer);
  }
};

/** A client and the data that it received. */
const connectClient = async () => {
  const socket = connect({ port: link.port, host: '127.0.0.1' });
  clients.push(socket);
  let received = '';
  let isClosed = false;
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  socket
    .on('error', () => undefined)
    .on('close', () => {
      isClosed = true;
    });
  await expect.poll(() => isClosed || !socket.connecting).toBe(true);
  return { socket, received: () => received, isClosed: () => isClosed };
};

describe('FaultProxy', () => {
  it('forwards everything, and lets an observer read it', async () => {
    const { socket, received } = await connectClient();
    socket.write('hello');
    await expect.poll(received).toBe('hello');
    expect(watched).toEqual(['hello']);
    expect(link.connections).toBe(1);
  });

  it('when cut, ends connections and rejects new ones until it is up again', async () => {
    const first = await connectClient();
    link.switchTo('cut');
    await expect.poll(first.isClosed).toBe(true);
    const second = await connectClient();
    await expect.poll(second.isClosed).toBe(true);
    expect(link.connections).toBe(0);
    link.switchTo('up');
    const third = await connectClient();
    third.socket.write('back');
    await expect.poll(third.received).toBe('back');
  });

  it('when half open, holds data back silently and delivers it when it is up again', async () => {
    const { socket, received, isClosed } = await connectClient();
    socket.write('a');
    await expect.poll(received).toBe('a');
    link.switchTo('half_open');
    socket.write('b');
    const late = await connectClient();
    late.socket.write('c');
    await expect.poll(() => link.connections).toBe(2);
    expect([received(), isClosed(), late.received(), late.isClosed()]).toEqual(['a', false, '', false]);
    link.switchTo('up');
    await expect.poll(() => [received(), late.received()]).toEqual(['ab', 'c']);
  });

  it('when half open, passes a disconnection on once it is up again', async () => {
    const { socket } = await connectClient();
    await expect.poll(() => link.connections).toBe(1);
    link.switchTo('half_open');
    socket.destroy();
    await once(socket, 'close');
    expect(link.connections).toBe(1);
    link.switchTo('up');
    await expect.poll(() => link.connections).toBe(0);
  });

  it('when slow, delivers everything late and in order', async () => {
    const { socket, received } = await connectClient();
    link.switchTo('slow');
    for (const word of ['one ', 'two ', 'three']) socket.write(word);
    await expect.poll(() => waiting.length).toBe(1);
    advance(39);
    expect(watched).toEqual([]);
    const receivedAfterDelay = (): string => {
      advance(40);
      return received();
    };
    await expect.poll(receivedAfterDelay).toBe('one two three');
  });

  it('preserves the order when a slow link becomes fast again', async () => {
    const { socket, received } = await connectClient();
    link.switchTo('slow');
    socket.write('old ');
    await expect.poll(() => waiting.length).toBe(1);
    link.switchTo('up');
    socket.write('new');
    // The proxy has read "new" before it accepts a connection that is opened later.
    const other = await connectClient();
    other.socket.write('later');
    await expect.poll(other.received).toBe('later');
    expect(received()).toBe('');
    advance(40);
    await expect.poll(received).toBe('old new');
  });

  it('rejects connections without a target', async () => {
    link.target = null;
    const { isClosed } = await connectClient();
    await expect.poll(isClosed).toBe(true);
  });
});
