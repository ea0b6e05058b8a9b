import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FaultLine } from './fault-line.ts';

let server: Server;
let line: FaultLine;
let watched: string[];
const clients: Socket[] = [];

beforeEach(async () => {
  server = createServer(socket => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  watched = [];
  line = await FaultLine.open({
    watch: () => chunk => void watched.push(chunk.toString()),
    onChange: () => undefined,
    slowMs: 40,
  });
  line.target = (server.address() as { port: number }).port;
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await line.close();
  server.close();
});

/** Somebody at the near end, and what came back. */
const caller = async () => {
  const socket = connect({ port: line.port, host: '127.0.0.1' });
  clients.push(socket);
  let heard = '';
  let isOver = false;
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text;
  });
  socket
    .on('error', () => undefined)
    .on('close', () => {
      isOver = true;
    });
  await expect.poll(() => isOver || !socket.connecting).toBe(true);
  return { socket, heard: () => heard, isOver: () => isOver };
};

it('passes everything on, and lets somebody read along', async () => {
  const { socket, heard } = await caller();
  socket.write('hello');
  await expect.poll(heard).toBe('hello');
  expect(watched).toEqual(['hello']);
  expect(line.connections).toBe(1);
});

it('cut: connections end, new ones come to nothing, and later they work again', async () => {
  const first = await caller();
  line.switchTo('cut');
  await expect.poll(first.isOver).toBe(true);
  const second = await caller();
  await expect.poll(second.isOver).toBe(true);
  expect(line.connections).toBe(0);
  line.switchTo('up');
  const third = await caller();
  third.socket.write('back');
  await expect.poll(third.heard).toBe('back');
});

it('half open: nothing comes through, nobody is told, and what was said arrives when the line is up again', async () => {
  const { socket, heard, isOver } = await caller();
  socket.write('a');
  await expect.poll(heard).toBe('a');
  line.switchTo('half_open');
  socket.write('b');
  const late = await caller();
  late.socket.write('c');
  await expect.poll(() => line.connections).toBe(2);
  expect([heard(), isOver(), late.heard(), late.isOver()]).toEqual(['a', false, '', false]);
  line.switchTo('up');
  await expect.poll(() => [heard(), late.heard()]).toEqual(['ab', 'c']);
});

it('half open: who has gone meanwhile is gone for the other end too, once the line is up', async () => {
  const { socket } = await caller();
  await expect.poll(() => line.connections).toBe(1);
  line.switchTo('half_open');
  socket.destroy();
  await once(socket, 'close');
  expect(line.connections).toBe(1);
  line.switchTo('up');
  await expect.poll(() => line.connections).toBe(0);
});

it('slow: everything arrives, late and in its order', async () => {
  const { socket, heard } = await caller();
  line.switchTo('slow');
  const began = performance.now();
  for (const word of ['one ', 'two ', 'three']) socket.write(word);
  await expect.poll(heard).toBe('one two three');
  expect(performance.now() - began).toBeGreaterThan(75);
});

it('a line that becomes fast again does not let the new overtake the old', async () => {
  const { socket, heard } = await caller();
  line.switchTo('slow');
  socket.write('old ');
  await pause(20);
  line.switchTo('up');
  socket.write('new');
  await expect.poll(() => heard().length).toBe(7);
  expect(heard()).toBe('old new');
});

it('without a part at the far end nobody gets through', async () => {
  line.target = null;
  const { isOver } = await caller();
  await expect.poll(isOver).toBe(true);
});
