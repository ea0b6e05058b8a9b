import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OutputLevels } from './output-levels.ts';

let changes: string[];
let outputs: OutputLevels;

beforeEach(() => {
  vi.useFakeTimers();
  changes = [];
  outputs = new OutputLevels((output, isOn) => void changes.push(`${output} ${isOn ? 'on' : 'off'}`));
});

afterEach(() => {
  vi.useRealTimers();
});

it('a pulse ends by itself, a level does not', () => {
  outputs.set('green', true, 200);
  outputs.set('red', true, null);
  vi.advanceTimersByTime(10_000);
  expect(changes).toEqual(['green on', 'red on', 'green off']);
});

it('a second pulse is not ended by the first', () => {
  outputs.set('strike', true, 1_000);
  vi.advanceTimersByTime(900);
  outputs.set('strike', true, 1_000);
  vi.advanceTimersByTime(900);
  expect(outputs.isOn('strike')).toBe(true);
  vi.advanceTimersByTime(200);
  expect(changes).toEqual(['strike on', 'strike off']);
});

it('without current all is off, and stays off', () => {
  outputs.set('green', true, 200);
  outputs.set('red', true, null);
  outputs.allOff();
  vi.advanceTimersByTime(10_000);
  expect(changes).toEqual(['green on', 'red on', 'green off', 'red off']);
});
