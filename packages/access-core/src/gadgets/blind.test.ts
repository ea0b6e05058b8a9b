import { describe, expect, it } from 'vitest';
import { monotonic } from '../monotonic-time.ts';
import {
  type BlindAction,
  type BlindConfig,
  stepBlind,
  nextBlindDeadline,
  parseBlindConfig,
  createInitialBlindStep,
} from './blind.ts';

const config: BlindConfig = { up_output: 'k1', down_output: 'k2', travel_ms: 30_000, dead_ms: 500 };

const play = (...actions: readonly (readonly [number, BlindAction])[]): string[] => {
  let { state } = createInitialBlindStep(config, monotonic(-1_000));
  const reported: string[] = [];
  const take = (at: number, action: BlindAction | null): void => {
    const step = stepBlind(
      config,
      state,
      action === null ? { type: 'timer' } : { type: 'action', action },
      monotonic(at),
    );
    state = step.state;
    for (const effect of step.effects) {
      if (effect.type === 'report_state') reported.push(`${at} is ${effect.state_id}`);
      else reported.push(`${at} ${effect.output} ${effect.type === 'output_on' ? effect.pulse_ms : 'off'}`);
    }
  };
  const wakeUntil = (at: number): void => {
    for (let due = nextBlindDeadline(state); due !== null && due <= at; due = nextBlindDeadline(state)) take(due, null);
  };
  for (const [at, action] of actions) {
    wakeUntil(at);
    take(at, action);
  }
  wakeUntil(1_000_000);
  return reported;
};

describe('blind', () => {
  it('moves for its travel time and is then at its end position', () => {
    expect(play([0, 'up'])).toEqual(['0 k1 30000', '0 is raising', '30000 k1 off', '30000 is up']);
    expect(play([0, 'down'])).toEqual(['0 k2 30000', '0 is lowering', '30000 k2 off', '30000 is down']);
  });

  it('stops at any time', () => {
    expect(play([0, 'down'], [7_000, 'stop'])).toEqual([
      '0 k2 30000',
      '0 is lowering',
      '7000 k2 off',
      '7000 is stopped',
    ]);
  });

  it('ignores stop while it is at rest', () => {
    expect(play([0, 'stop'])).toEqual([]);
  });

  it('keeps moving when the same direction is requested again', () => {
    expect(play([0, 'up'], [10_000, 'up'])).toEqual([
      '0 k1 30000',
      '0 is raising',
      '10000 k1 30000',
      '40000 k1 off',
      '40000 is up',
    ]);
  });

  it('pauses between opposite directions', () => {
    expect(play([0, 'up'], [10_000, 'down'])).toEqual([
      '0 k1 30000',
      '0 is raising',
      '10000 k1 off',
      '10000 is stopped',
      '10500 k2 30000',
      '10500 is lowering',
      '40500 k2 off',
      '40500 is down',
    ]);
  });

  it('can be stopped during that pause', () => {
    expect(play([0, 'up'], [10_000, 'down'], [10_100, 'stop']).at(-1)).toBe('10000 is stopped');
  });

  it('starts with both outputs off and an unknown position', () => {
    expect(createInitialBlindStep(config, monotonic(0)).effects).toEqual([
      { type: 'output_off', output: 'k1' },
      { type: 'output_off', output: 'k2' },
      { type: 'report_state', state_id: 'unknown' },
    ]);
  });

  it('requires two different outputs and a dead time', () => {
    const parsed = parseBlindConfig({ up_output: 'k1', down_output: 'k1', dead_ms: 0, speed: 1 }, 'blind');
    expect(parsed.ok ? [] : parsed.problems.map(({ path }) => path)).toEqual([
      'blind.speed',
      'blind.dead_ms',
      'blind.down_output',
    ]);
    expect(parseBlindConfig({ up_output: 'k1', down_output: 'k2' })).toEqual({
      ok: true,
      value: { up_output: 'k1', down_output: 'k2', travel_ms: 60_000, dead_ms: 500 },
    });
  });
});
