import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseActionSteps, parseOutputInterlocks } from './action-steps.ts';

const outputs = new Set(['up', 'down']);
const problemsOf = (
  parsed: ReturnType<typeof parseActionSteps> | ReturnType<typeof parseOutputInterlocks>,
): string[] => (parsed.ok ? [] : parsed.problems.map(({ path, code }) => `${path} ${code}`));

describe('parseActionSteps', () => {
  it('returns the steps as written', () => {
    const steps = [
      { step: 'on', output: 'up' },
      { step: 'wait', ms: 500 },
      { step: 'off', output: 'up' },
      { step: 'pulse', output: 'down', ms: 1 },
    ];
    expect(parseActionSteps(steps, 'actions.0.steps', outputs)).toEqual({ ok: true, value: steps });
  });

  it('rejects invalid fields, each with its path', () => {
    const steps = [
      { step: 'pulse', output: 'up' },
      { step: 'blink', output: 'up' },
      { step: 'on', output: 'left' },
      { step: 'on', output: 'up', ms: 5 },
      { step: 'wait', ms: 0 },
      { step: 'wait', ms: 3_600_001 },
      null,
    ];
    expect(problemsOf(parseActionSteps(steps, 'steps', outputs))).toEqual([
      'steps.0.ms invalid_duration',
      'steps.1.step invalid_choice',
      'steps.2.output unknown_output',
      'steps.3.ms unknown_field',
      'steps.4.ms invalid_duration',
      'steps.5.ms invalid_duration',
      'steps.6 invalid_type',
      'steps.6.step invalid_choice',
      'steps.6.output invalid_name',
    ]);
  });

  it('accepts any output name when the outputs are unknown', () => {
    expect(parseActionSteps([{ step: 'on', output: 'left' }]).ok).toBe(true);
  });

  it('rejects more than 64 steps without reading them', () => {
    expect(parseActionSteps(Array.from({ length: 64 }, () => ({ step: 'wait', ms: 1 }))).ok).toBe(true);
    expect(problemsOf(parseActionSteps(Array.from({ length: 1_000_000 }), 'steps'))).toEqual(['steps too_many']);
  });

  it('rejects undefined steps', () => {
    expect(parseActionSteps(Array.from({ length: 2 })).ok).toBe(false);
  });

  it('never throws', () => {
    const almost = fc.array(
      fc.record({ step: fc.constantFrom('on', 'wait', 'pulse', 1), output: fc.anything(), ms: fc.anything() }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), almost), input => {
        expect(typeof parseActionSteps(input).ok).toBe('boolean');
        expect(typeof parseOutputInterlocks(input).ok).toBe('boolean');
      }),
    );
  });
});

describe('parseOutputInterlocks', () => {
  it('returns the interlocks as written, with no dead time by default', () => {
    expect(parseOutputInterlocks([{ outputs: ['up', 'down'] }], 'interlocks', outputs)).toEqual({
      ok: true,
      value: [{ outputs: ['up', 'down'], dead_ms: 0 }],
    });
  });

  it('requires two or more different outputs of the gadget', () => {
    const interlocks = [
      { outputs: ['up'] },
      { outputs: ['up', 'up'] },
      { outputs: ['up', 'left'] },
      { outputs: 'up' },
      { outputs: ['up', 'down'], dead_ms: -1 },
    ];
    expect(problemsOf(parseOutputInterlocks(interlocks, 'interlocks', outputs))).toEqual([
      'interlocks.0.outputs invalid_outputs',
      'interlocks.1.outputs invalid_outputs',
      'interlocks.2.outputs invalid_outputs',
      'interlocks.3.outputs invalid_outputs',
      'interlocks.4.dead_ms invalid_duration',
    ]);
  });
});
