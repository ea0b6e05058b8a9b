import { type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type KeypadMatrixContacts,
  type KeypadMatrixState,
  stepKeypadMatrix,
  initialKeypadMatrixState,
  listStuckKeys,
} from './keypad.ts';

const [ROWS, COLUMNS] = [4, 3];

/** What a matrix without diodes shows: two lines are connected when there is any path between them. */
const contactsOf = (keys: readonly number[]): KeypadMatrixContacts => {
  const isPressed = (row: number, column: number): boolean => keys.includes(row * COLUMNS + column);
  const lines = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
  const reached = (row: number): Set<number> => {
    const [rows, columns] = [new Set([row]), new Set<number>()];
    for (let before = -1; before !== rows.size + columns.size; ) {
      before = rows.size + columns.size;
      for (const one of lines(ROWS))
        for (const other of lines(COLUMNS)) {
          if (!isPressed(one, other)) continue;
          if (rows.has(one)) columns.add(other);
          if (columns.has(other)) rows.add(one);
        }
    }
    return columns;
  };
  return lines(ROWS).map(row => lines(COLUMNS).map(column => reached(row).has(column)));
};

const scanner = () => {
  let state: KeypadMatrixState = initialKeypadMatrixState;
  let now = 1_000;
  const reported: number[] = [];
  return {
    reported,
    stuck: () => listStuckKeys(state, monotonic(now)),
    hold: (keys: readonly number[], milliseconds: number): void => {
      for (const end = now + milliseconds; now < end; now += 10) {
        const step = stepKeypadMatrix(state, contactsOf(keys), now as MonotonicTime);
        state = step.state;
        reported.push(...step.pressed);
      }
    },
  };
};

describe('matrix keypad scan', () => {
  it('reports a key once when it is down long enough, however long it is held', () => {
    const { reported, hold } = scanner();
    hold([5], 5_000);
    hold([], 100);
    hold([5], 50);
    expect(reported).toEqual([5, 5]);
  });

  it('ignores contact bounce on press and release', () => {
    const { reported, hold } = scanner();
    for (let bounce = 0; bounce < 10; bounce++) {
      hold([5], 20);
      hold([], 10);
    }
    expect(reported).toEqual([]);
    hold([5], 100);
    for (let bounce = 0; bounce < 10; bounce++) {
      hold([], 20);
      hold([5], 10);
    }
    expect(reported).toEqual([5]);
  });

  it('reports two keys held together in the order of pressing', () => {
    const { reported, hold } = scanner();
    hold([7], 20);
    hold([7, 2], 60);
    expect(reported).toEqual([7, 2]);
  });

  it('ignores two keys of one column until one of them is released', () => {
    const { reported, hold } = scanner();
    hold([1], 100);
    hold([1, 4], 500);
    expect(reported).toEqual([1]);
    hold([4], 100);
    expect(reported).toEqual([1, 4]);
  });

  it('reports no ghost key when three keys imply a fourth', () => {
    const { reported, hold } = scanner();
    hold([0, 1], 100);
    hold([0, 1, 3], 500);
    expect(reported).toEqual([0, 1]);
    hold([1, 3], 100);
    expect(reported).toEqual([0, 1, 3]);
  });

  it('never reports a key that is not pressed, for any combination', () => {
    const keys = fc.array(fc.nat({ max: ROWS * COLUMNS - 1 }), { maxLength: 5 });
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, fc.integer({ min: 10, max: 120 })), { maxLength: 20 }), holds => {
        const { reported, hold } = scanner();
        const pressed = new Set<number>();
        for (const [together, milliseconds] of holds) {
          for (const key of together) pressed.add(key);
          hold(together, milliseconds);
        }
        for (const key of reported) expect(pressed).toContain(key);
      }),
    );
  });

  it('reports a stuck key until it is released', () => {
    const { reported, stuck, hold } = scanner();
    hold([5], 29_000);
    expect(stuck()).toEqual([]);
    hold([5], 2_000);
    expect(stuck()).toEqual([5]);
    hold([5, 9], 100);
    expect(reported).toEqual([5, 9]);
    hold([], 100);
    expect(stuck()).toEqual([]);
  });
});
