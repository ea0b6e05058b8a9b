import { instant } from '@lintel/access-core/instant';
import { describe, expect, it } from 'vitest';
import { FaultRegistry } from './fault-registry.ts';

const registry = () => {
  let now = 1_000;
  const changes: string[] = [];
  const faults = new FaultRegistry<{ readonly kind?: string }>(() => instant(now++));
  faults.onChange(({ code, message }, change) => changes.push(`${change} ${code}: ${message}`));
  return { faults, changes };
};

describe('FaultRegistry', () => {
  it('reports the begin, a change and the end of a fault once each', () => {
    const { faults, changes } = registry();
    for (const message of ['full', 'full', 'broken', 'broken']) faults.set('store', message);
    faults.clear('store');
    faults.clear('store');
    expect(changes).toEqual(['begun store: full', 'changed store: broken', 'over store: broken']);
  });

  it('keeps the start time while the message changes, and starts again after the end', () => {
    const { faults } = registry();
    faults.set('store', 'full');
    faults.set('store', 'broken');
    expect(faults.list()).toEqual([{ code: 'store', message: 'broken', since: 1_000 }]);
    faults.clear('store');
    expect(faults.has('store')).toBe(false);
    faults.set('store', 'full');
    expect(faults.list()[0]?.since).toBe(1_001);
  });

  it('reports changed details of the same message', () => {
    const { faults, changes } = registry();
    faults.set('reader', 'no answer', { kind: 'absent' });
    faults.set('reader', 'no answer', { kind: 'absent' });
    faults.set('reader', 'no answer', { kind: 'tampered' });
    expect(changes).toHaveLength(2);
    expect(faults.list()).toMatchObject([{ kind: 'tampered' }]);
  });

  it('has updated its list when the listener runs', () => {
    const { faults } = registry();
    const counts: number[] = [];
    faults.onChange(() => counts.push(faults.list().length));
    faults.set('store', 'full');
    faults.clear('store');
    expect(counts).toEqual([1, 0]);
  });
});
