import type { GadgetId } from '@lintel/access-core/ids';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHardware } from '@lintel/device-runtime/hardware';
import { ProfileControllers, shippedProfile } from '../../support/hardware/profile-controller.ts';

let controllers: ProfileControllers;
beforeEach(() => {
  controllers = new ProfileControllers();
});
afterEach(() => controllers.close());

/** Connects to the socket of the simulated parts. */
class PartsClient {
  readonly received: Record<string, unknown>[] = [];
  readonly #socket: Socket;
  readonly #lines: Interface;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#lines = createInterface({ input: socket });
    this.#lines.on('error', () => undefined);
    this.#lines.on('line', line => this.received.push(JSON.parse(line) as Record<string, unknown>));
  }

  static async at({ dataDir, closing }: ProfileControllers): Promise<PartsClient> {
    const socket = connect(join(dataDir, 'parts.sock'));
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    closing.push(() => socket.destroy());
    const client = new PartsClient(socket);
    await once(client.#lines, 'line');
    return client;
  }

  send(line: object | string): void {
    this.#socket.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  }

  get isDisconnected(): boolean {
    return this.#socket.destroyed || this.#socket.readableEnded;
  }

  lines(): string[] {
    return this.received.map(line => JSON.stringify(line));
  }
}

describe('simulated parts', () => {
  const laptop = shippedProfile('laptop-simulator');

  it('step the clock where supported, and report where not', async () => {
    const steps: number[] = [];
    const parts = await openHardware(laptop, { ...controllers.context(), stepClock: ms => void steps.push(ms) });
    const client = await PartsClient.at(controllers);
    client.send({ clock_stepped_ms: -3_600_000 });
    client.send({ clock_stepped_ms: 1e18 });
    await expect.poll(() => client.received.length).toBe(3);
    expect([client.received[1], Object.keys(client.received[2]!), steps]).toEqual([
      { done: true },
      ['error'],
      [-3_600_000],
    ]);
    await parts.close();
    const fixed = await openHardware(laptop, controllers.context());
    controllers.closing.push(() => fixed.close());
    const others = await PartsClient.at(controllers);
    others.send({ clock_stepped_ms: 1 });
    await expect.poll(() => others.received[1]).toEqual({ error: 'the clock of this controller cannot be changed' });
  });

  it('unlock the door with a PIN and a card, and report the outputs', async () => {
    const world = await controllers.start(laptop);
    await world.serve({ id: 'gad_front', actions: ['open'] });
    const client = await PartsClient.at(controllers);
    expect(client.received[0]).toMatchObject({
      stations: ['main'],
      inputs: { door_contact: 'inactive' },
      outputs: { door_relay: false },
    });
    client.send({ key: '2', station: 'main' });
    client.send({ keys: '580' });
    await expect.poll(() => client.lines()).toContain('{"output":"door_relay","on":true}');
    expect(client.lines()).toContain('{"output":"green_led","on":true}');
    client.send({ card: '04A1B2C3' });
    await expect.poll(() => client.lines().filter(line => line.includes('door_relay'))).toHaveLength(2);
  });

  it('are accessible to their owner only', async () => {
    await controllers.start(laptop);
    expect(statSync(join(controllers.dataDir, 'parts.sock')).mode & 0o777).toBe(0o600);
  });

  it('change contacts and buttons', async () => {
    const world = await controllers.start(laptop);
    await world.serve({ id: 'gad_front', states: ['open', 'locked', 'forced'] });
    const client = await PartsClient.at(controllers);
    client.send({ press: 'exit_button' });
    await expect.poll(() => client.lines()).toContain('{"output":"door_relay","on":true}');
    client.send({ input: 'door_contact', level: 'active' });
    await expect.poll(() => world.device.controller.gadgetStates().map(({ state_id }) => state_id)).toContain('open');
  });

  it('can be unplugged and plugged in again, with a fault that names the part', async () => {
    const world = await controllers.start(laptop);
    await world.serve({ id: 'gad_front' });
    const client = await PartsClient.at(controllers);
    for (const [part, code] of [
      ['reader', 'reader:main'],
      ['keypad', 'keypad:main'],
      ['outputs', 'outputs:simulated'],
      ['inputs', 'inputs:simulated'],
    ] as const) {
      client.send({ unplug: part });
      await expect.poll(() => world.codes()).toContain(code);
      client.send({ plug: part });
      await expect.poll(() => world.codes()).not.toContain(code);
    }
    const answers = (): number => client.received.filter(line => 'done' in line).length;
    const before = answers();
    for (const part of ['reader', 'keypad']) client.send({ unplug: part });
    client.send({ card: '04a1b2c3' });
    client.send({ keys: '2580' });
    for (const part of ['reader', 'keypad']) client.send({ plug: part });
    await expect.poll(answers).toBe(before + 6);
    expect(client.lines()).not.toContain('{"output":"door_relay","on":true}');
  });

  it('answer an invalid message with the problem, and continue', async () => {
    const world = await controllers.start(laptop);
    await world.serve({ id: 'gad_front' });
    const client = await PartsClient.at(controllers);
    const wrong = ['{', '[]', '{"key":"a"}', '{"card":"xyz"}', '{"press":"no_such"', '{"unplug":"nothing"}', 'null'];
    for (const line of [...wrong, '{"key":"1","station":"elsewhere"}', '{"constructor":"x"}']) client.send(line);
    await expect.poll(() => client.received.filter(line => 'error' in line)).toHaveLength(wrong.length + 2);
    client.send({ card: '04a1b2c3' });
    await expect.poll(() => client.lines()).toContain('{"output":"door_relay","on":true}');
  });

  it('disconnect a client that never ends a line', async () => {
    await controllers.start(laptop);
    const [client, flood] = [await PartsClient.at(controllers), await PartsClient.at(controllers)];
    flood.send('x'.repeat(1_000_000));
    await expect.poll(() => flood.isDisconnected).toBe(true);
    client.send({ keys: '1' });
    await expect.poll(() => client.received).toContainEqual({ done: true });
  });

  it('provide outputs for gadgets beyond those of the profile', async () => {
    const world = await controllers.start(laptop);
    await world.serve(
      { id: 'gad_a', actions: ['open'], created_at: 1 },
      { id: 'gad_b', actions: ['open'], created_at: 2 },
      { id: 'gad_c', actions: ['up', 'down', 'stop'], created_at: 3 },
    );
    expect(world.codes()).toEqual([]);
    const client = await PartsClient.at(controllers);
    world.device.controller.execute({ gadget_id: 'gad_b' as GadgetId, gadget_action_id: 'open', subject: null });
    await expect.poll(() => client.lines()).toContain('{"output":"strike-1","on":true}');
  });

  it('replace the socket of a killed controller, but never that of a running one', async () => {
    const world = await controllers.start(laptop);
    const second = await openHardware(laptop, controllers.context());
    await second.close();
    await world.serve({ id: 'gad_front' });
    const client = await PartsClient.at(controllers);
    client.send({ press: 'exit_button' });
    await expect.poll(() => client.lines()).toContain('{"output":"door_relay","on":true}');
  });
});
