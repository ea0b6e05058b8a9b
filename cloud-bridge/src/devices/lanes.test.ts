import { describe, expect, it } from 'vitest';
import { Lanes } from './lanes.ts';

const opened = () => {
  let open: () => void = () => undefined;
  const gate = new Promise<void>(resolve => {
    open = resolve;
  });
  return { gate, open };
};

describe('Lanes', () => {
  it('runs the work of one lane in order, without delaying another lane', async () => {
    const lanes = new Lanes(10, () => undefined);
    const done: string[] = [];
    const { gate, open } = opened();
    lanes.enter('a', () => gate.then(() => void done.push('a1')));
    lanes.enter('a', async () => void done.push('a2'));
    const { gate: seen, open: see } = opened();
    lanes.enter('b', async () => {
      done.push('b1');
      see();
    });
    await seen;
    expect(done).toEqual(['b1']);
    open();
    await lanes.idle();
    expect(done).toEqual(['b1', 'a1', 'a2']);
  });

  it('reports a failure and continues with the next work', async () => {
    const errors: unknown[] = [];
    const lanes = new Lanes(10, error => errors.push(error));
    const done: string[] = [];
    lanes.enter('a', () => Promise.reject(new Error('broken')));
    lanes.enter('a', async () => void done.push('after'));
    await lanes.idle();
    expect([errors.length, done]).toEqual([1, ['after']]);
  });

  it('rejects work for a full lane until there is room', async () => {
    const lanes = new Lanes(2, () => undefined);
    const { gate, open } = opened();
    expect([lanes.enter('a', () => gate), lanes.enter('a', () => gate), lanes.enter('a', () => gate)]).toEqual([
      true,
      true,
      false,
    ]);
    open();
    await lanes.idle();
    expect(lanes.enter('a', async () => undefined)).toBe(true);
    await lanes.idle();
  });
});
