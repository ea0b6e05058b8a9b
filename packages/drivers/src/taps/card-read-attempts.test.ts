import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { CardReadAttempts } from './card-reading-counter.ts';

const fixture = () => {
  const clock = new VirtualClock();
  return { clock, visits: new CardReadAttempts(clock) };
};

describe('card presentations', () => {
  it('are clean when the card is read in the end, however often reading broke off before', () => {
    const { clock, visits } = fixture();
    for (let tries = 0; tries < 50; tries++) {
      visits.brokeOff('lost');
      clock.advance(50);
    }
    visits.read();
    clock.advance(10_000);
    expect(visits.readings()).toMatchObject({ clean: 1, broken: 0 });
  });

  it('are damaged once when the card is removed before it is read', () => {
    const { clock, visits } = fixture();
    for (let tries = 0; tries < 50; tries++) {
      visits.brokeOff('unreadable');
      clock.advance(50);
    }
    expect(visits.readings()).toMatchObject({ broken: 0 });
    clock.advance(1_001);
    expect(visits.readings()).toMatchObject({ clean: 0, broken: 1, worst: 'unreadable' });
    expect(visits.readings()).toMatchObject({ broken: 1 });
  });

  it('are two when the card is presented again later, the first of them damaged', () => {
    const { clock, visits } = fixture();
    visits.brokeOff('lost');
    clock.advance(1_500);
    visits.read();
    visits.brokeOff('lost');
    clock.advance(1_500);
    visits.brokeOff('lost');
    expect(visits.readings()).toMatchObject({ clean: 1, broken: 2 });
  });
});
