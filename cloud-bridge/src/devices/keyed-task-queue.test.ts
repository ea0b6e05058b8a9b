import { describe, expect, it } from 'vitest';
import { KeyedTaskQueue } from './keyed-task-queue.ts';

const createGate = () => {
  let open: () => void = () => undefined;
  const gate = new Promise<void>(resolve => {
    open = resolve;
  });
  return { gate, open };
};

describe('KeyedTaskQueue', () => {
  it('runs the tasks of one key in order, without delaying another key', async () => {
    const queue = new KeyedTaskQueue(10, () => undefined);
    const done: string[] = [];
    const { gate, open } = createGate();
    queue.enqueue('a', () => gate.then(() => void done.push('a1')));
    queue.enqueue('a', async () => void done.push('a2'));
    const { gate: started, open: markStarted } = createGate();
    queue.enqueue('b', async () => {
      done.push('b1');
      markStarted();
    });
    await started;
    expect(done).toEqual(['b1']);
    open();
    await queue.whenIdle();
    expect(done).toEqual(['b1', 'a1', 'a2']);
  });

  it('reports a failure and continues with the next task', async () => {
    const errors: unknown[] = [];
    const queue = new KeyedTaskQueue(10, error => errors.push(error));
    const done: string[] = [];
    queue.enqueue('a', () => Promise.reject(new Error('broken')));
    queue.enqueue('a', async () => void done.push('after'));
    await queue.whenIdle();
    expect([errors.length, done]).toEqual([1, ['after']]);
  });

  it('rejects tasks for a full queue until there is room', async () => {
    const queue = new KeyedTaskQueue(2, () => undefined);
    const { gate, open } = createGate();
    expect([queue.enqueue('a', () => gate), queue.enqueue('a', () => gate), queue.enqueue('a', () => gate)]).toEqual([
      true,
      true,
      false,
    ]);
    open();
    await queue.whenIdle();
    expect(queue.enqueue('a', async () => undefined)).toBe(true);
    await queue.whenIdle();
  });
});
