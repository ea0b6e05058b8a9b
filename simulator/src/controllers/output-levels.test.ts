import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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

describe('OutputLevels', () => {
  it('turns an output off after a pulse, but not after a level', () => {
    outputs.set('green', true, 200);
    outputs.set('red', true, null);
    vi.advanceTimersByTime(10_000);
    expect(changes).toEqual(['green on', 'red on', 'green off']);
  });

  it('keeps an output on when a second pulse follows the first', () => {
    outputs.set('strike', true, 1_000);
    vi.advanceTimersByTime(900);
    outputs.set('strike', true, 1_000);
    vi.advanceTimersByTime(900);
    expect(outputs.isOn('strike')).toBe(true);
    vi.advanceTimersByTime(200);
    expect(changes).toEqual(['strike on', 'strike off']);
  });

  it('turns all outputs off without power', () => {
    outputs.set('green', true, 200);
    outputs.set('red', true, null);
    outputs.allOff();
    vi.advanceTimersByTime(10_000);
    expect(changes).toEqual(['green on', 'red on', 'green off', 'red off']);
  });
});
