import { describe, expect, it } from 'vitest';
import { SecretMemory } from './secret-memory.ts';

const HALF_HOUR = 30 * 60_000;

describe('SecretMemory', () => {
  it('returns the credential of the last login after a restart of the controller', () => {
    const memory = new SecretMemory();
    expect(memory.recall(['code', 'pass'], 0)).toBeNull();
    memory.keep({ pass: 'p' }, HALF_HOUR, 0);
    expect(memory.recall(['pass'], 1_000)).toEqual({ pass: 'p' });
  });

  it('returns nothing after a logout', () => {
    const memory = new SecretMemory();
    memory.keep({ pass: 'p' }, HALF_HOUR, 0);
    memory.used(HALF_HOUR - 1);
    expect(memory.recall(['pass'], HALF_HOUR + 1)).toEqual({ pass: 'p' });
    expect(memory.recall(['pass'], 2 * HALF_HOUR - 1)).toBeNull();
    expect(memory.recall(['pass'], HALF_HOUR + 1)).toBeNull();
  });

  it('returns no setup code where the controller accepts only a pass', () => {
    const memory = new SecretMemory();
    memory.keep({ code: 'c' }, HALF_HOUR, 0);
    expect(memory.recall(['pass'], 1)).toBeNull();
    expect(memory.recall(['code', 'pass'], 1)).toEqual({ code: 'c' });
  });
});
