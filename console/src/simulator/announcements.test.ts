import { describe, expect, it } from 'vitest';
import { aDoor, aHappening, aWorld } from './simulator-state.test-support.ts';
import { announcements } from './announcements.ts';

const after = (changes: Parameters<typeof aDoor>[0]) => announcements(aWorld(), aWorld({ doors: [aDoor(changes)] }));

describe('announcements', () => {
  it('contain a door that opens, closes, unlocks or gives an alarm', () => {
    expect(after({ leaf: 'open', is_unlocked: true })).toEqual(['Front door open']);
    expect(after({ is_unlocked: true })).toEqual(['Front door unlocked']);
    expect(after({ leaf: 'open', alarm: 'forced' })).toEqual(['Alarm: Front door was forced']);
    expect(after({ alarm: 'held_open' })).toEqual(['Alarm: Front door is held open']);
    expect(announcements(aWorld({ doors: [aDoor({ leaf: 'open' })] }), aWorld())).toEqual(['Front door closed']);
  });

  it('are empty without a change and for new doors', () => {
    expect(announcements(aWorld(), aWorld())).toEqual([]);
    expect(announcements(aWorld({ doors: [] }), aWorld({ doors: [aDoor({ leaf: 'open' })] }))).toEqual([]);
  });

  it('contain a denial once, and nothing that the door already announced', () => {
    const refused = aHappening({ kind: 'deny', words: 'Front door stayed closed: nobody has it' });
    const told = aWorld({ happenings: [refused] });
    expect(announcements(aWorld(), told)).toEqual(['Front door stayed closed: nobody has it']);
    expect(announcements(told, aWorld({ happenings: [{ ...refused, deliveries: 1 }] }))).toEqual([]);
    expect(announcements(aWorld(), aWorld({ happenings: [aHappening()] }))).toEqual([]);
  });
});
