import type { GadgetId } from '@lintel/access-core/ids';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openParts } from '../open-parts.ts';
import { PartsBench, shipped } from '../parts-bench.test-support.ts';

let bench: PartsBench;
beforeEach(() => {
  bench = new PartsBench();
});
afterEach(() => bench.close());

/** Somebody at the simulated parts. */
class Hands {
  readonly heard: Record<string, unknown>[] = [];
  readonly #socket: Socket;
  readonly #lines: Interface;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#lines = createInterface({ input: socket });
    this.#lines.on('error', () => undefined);
    this.#lines.on('line', line => this.heard.push(JSON.parse(line) as Record<string, unknown>));
  }

  static async at({ dataDir, closing }: PartsBench): Promise<Hands> {
    const socket = connect(join(dataDir, 'parts.sock'));
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    closing.push(() => socket.destroy());
    const hands = new Hands(socket);
    await once(hands.#lines, 'line');
    return hands;
  }

  say(line: object | string): void {
    this.#socket.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  }

  get isCutOff(): boolean {
    return this.#socket.destroyed || this.#socket.readableEnded;
  }

  lines(): string[] {
    return this.heard.map(line => JSON.stringify(line));
  }
}

describe('the simulated parts of a laptop', () => {
  const laptop = shipped('laptop-simulator');

  it('step the clock of the machine where it can be stepped, and say so where it cannot', async () => {
    const steps: number[] = [];
    const parts = await openParts(laptop, { ...bench.context(), stepClock: ms => void steps.push(ms) });
    const hands = await Hands.at(bench);
    hands.say({ clock_stepped_ms: -3_600_000 });
    hands.say({ clock_stepped_ms: 1e18 });
    await expect.poll(() => hands.heard.length).toBe(3);
    expect([hands.heard[1], Object.keys(hands.heard[2]!), steps]).toEqual([{ done: true }, ['error'], [-3_600_000]]);
    await parts.close();
    const fixed = await openParts(laptop, bench.context());
    bench.closing.push(() => fixed.close());
    const others = await Hands.at(bench);
    others.say({ clock_stepped_ms: 1 });
    await expect.poll(() => others.heard[1]).toEqual({ error: 'the clock of this machine cannot be stepped' });
  });

  it('open the door to a typed PIN and to a card, and tell what the outputs do', async () => {
    const world = await bench.start(laptop);
    await world.serve({ id: 'gad_front', actions: ['open'] });
    const hands = await Hands.at(bench);
    expect(hands.heard[0]).toMatchObject({
      stations: ['main'],
      inputs: { door_contact: 'inactive' },
      outputs: { door_relay: false },
    });
    hands.say({ key: '2', station: 'main' });
    hands.say({ keys: '580' });
    await expect.poll(() => hands.lines()).toContain('{"output":"door_relay","on":true}');
    expect(hands.lines()).toContain('{"output":"green_led","on":true}');
    hands.say({ card: '04A1B2C3' });
    await expect.poll(() => hands.lines().filter(line => line.includes('door_relay'))).toHaveLength(2);
  });

  it('can be reached by their owner alone', async () => {
    await bench.start(laptop);
    expect(statSync(join(bench.dataDir, 'parts.sock')).mode & 0o777).toBe(0o600);
  });

  it('move contacts and buttons', async () => {
    const world = await bench.start(laptop);
    await world.serve({ id: 'gad_front', states: ['open', 'locked', 'forced'] });
    const hands = await Hands.at(bench);
    hands.say({ press: 'exit_button' });
    await expect.poll(() => hands.lines()).toContain('{"output":"door_relay","on":true}');
    hands.say({ input: 'door_contact', level: 'active' });
    await expect.poll(() => world.device.controller.gadgetStates().map(({ state_id }) => state_id)).toContain('open');
  });

  it('are unplugged and plugged in again, with a fault that names the part meanwhile', async () => {
    const world = await bench.start(laptop);
    await world.serve({ id: 'gad_front' });
    const hands = await Hands.at(bench);
    for (const [part, code] of [
      ['reader', 'reader:main'],
      ['keypad', 'keypad:main'],
      ['outputs', 'outputs:simulated'],
      ['inputs', 'inputs:simulated'],
    ] as const) {
      hands.say({ unplug: part });
      await expect.poll(() => world.codes()).toContain(code);
      hands.say({ plug: part });
      await expect.poll(() => world.codes()).not.toContain(code);
    }
    const answers = (): number => hands.heard.filter(line => 'done' in line).length;
    const before = answers();
    for (const part of ['reader', 'keypad']) hands.say({ unplug: part });
    hands.say({ card: '04a1b2c3' });
    hands.say({ keys: '2580' });
    for (const part of ['reader', 'keypad']) hands.say({ plug: part });
    await expect.poll(answers).toBe(before + 6);
    expect(hands.lines()).not.toContain('{"output":"door_relay","on":true}');
  });

  it('answer nonsense with what is wrong and go on', async () => {
    const world = await bench.start(laptop);
    await world.serve({ id: 'gad_front' });
    const hands = await Hands.at(bench);
    const wrong = ['{', '[]', '{"key":"a"}', '{"card":"xyz"}', '{"press":"no_such"', '{"unplug":"nothing"}', 'null'];
    for (const line of [...wrong, '{"key":"1","station":"elsewhere"}', '{"constructor":"x"}']) hands.say(line);
    await expect.poll(() => hands.heard.filter(line => 'error' in line)).toHaveLength(wrong.length + 2);
    hands.say({ card: '04a1b2c3' });
    await expect.poll(() => hands.lines()).toContain('{"output":"door_relay","on":true}');
  });

  it('cut off who never ends a line', async () => {
    await bench.start(laptop);
    const [hands, flood] = [await Hands.at(bench), await Hands.at(bench)];
    flood.say('x'.repeat(1_000_000));
    await expect.poll(() => flood.isCutOff).toBe(true);
    hands.say({ keys: '1' });
    await expect.poll(() => hands.heard).toContainEqual({ done: true });
  });

  it('wire whatever else the desk adds', async () => {
    const world = await bench.start(laptop);
    await world.serve(
      { id: 'gad_a', actions: ['open'], created_at: 1 },
      { id: 'gad_b', actions: ['open'], created_at: 2 },
      { id: 'gad_c', actions: ['up', 'down', 'stop'], created_at: 3 },
    );
    expect(world.codes()).toEqual([]);
    const hands = await Hands.at(bench);
    world.device.controller.execute({ gadget_id: 'gad_b' as GadgetId, gadget_action_id: 'open', subject: null });
    await expect.poll(() => hands.lines()).toContain('{"output":"strike-1","on":true}');
  });

  it('take the place of a socket that a killed controller has left, never that of one that runs', async () => {
    const world = await bench.start(laptop);
    const second = await openParts(laptop, bench.context());
    await second.close();
    await world.serve({ id: 'gad_front' });
    const hands = await Hands.at(bench);
    hands.say({ press: 'exit_button' });
    await expect.poll(() => hands.lines()).toContain('{"output":"door_relay","on":true}');
  });
});
