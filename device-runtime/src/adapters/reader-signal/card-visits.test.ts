import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../simulated/virtual-clock.ts';
import { CardVisits } from './card-visits.ts';

const bench = () => {
  const clock = new VirtualClock();
  return { clock, visits: new CardVisits(clock) };
};

describe('visits of cards', () => {
  it('are clean when the card is read in the end, however often it broke off on the way into the field', () => {
    const { clock, visits } = bench();
    for (let tries = 0; tries < 50; tries++) {
      visits.brokeOff('lost');
      clock.advance(50);
    }
    visits.read();
    clock.advance(10_000);
    expect(visits.readings()).toMatchObject({ clean: 1, broken: 0 });
  });

  it('are broken once when the card is taken away before it is read', () => {
    const { clock, visits } = bench();
    for (let tries = 0; tries < 50; tries++) {
      visits.brokeOff('unreadable');
      clock.advance(50);
    }
    expect(visits.readings()).toMatchObject({ broken: 0 });
    clock.advance(1_001);
    expect(visits.readings()).toMatchObject({ clean: 0, broken: 1, worst: 'unreadable' });
    expect(visits.readings()).toMatchObject({ broken: 1 });
  });

  it('are two when somebody tries again later, the first of them broken', () => {
    const { clock, visits } = bench();
    visits.brokeOff('lost');
    clock.advance(1_500);
    visits.read();
    visits.brokeOff('lost');
    clock.advance(1_500);
    visits.brokeOff('lost');
    expect(visits.readings()).toMatchObject({ clean: 1, broken: 2 });
  });
});
