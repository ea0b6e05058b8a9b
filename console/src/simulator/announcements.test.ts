import { describe, expect, it } from 'vitest';
import { aDoor, anEvent, aWorld } from './simulator-state.test-support.ts';
import { announcements } from './announcements.ts';

const announceDoor = (changes: Parameters<typeof aDoor>[0]) =>
  announcements(aWorld(), aWorld({ doors: [aDoor(changes)] }));

describe('announcements', () => {
  it('contain a door that opens, closes, unlocks or gives an alarm', () => {
    expect(announceDoor({ leaf: 'open', is_unlocked: true })).toEqual(['Front door open']);
    expect(announceDoor({ is_unlocked: true })).toEqual(['Front door unlocked']);
    expect(announceDoor({ leaf: 'open', alarm: 'forced' })).toEqual(['Alarm: Front door forced open']);
    expect(announceDoor({ alarm: 'held_open' })).toEqual(['Alarm: Front door held open']);
    expect(announcements(aWorld({ doors: [aDoor({ leaf: 'open' })] }), aWorld())).toEqual(['Front door closed']);
  });

  it('are empty without a change and for new doors', () => {
    expect(announcements(aWorld(), aWorld())).toEqual([]);
    expect(announcements(aWorld({ doors: [] }), aWorld({ doors: [aDoor({ leaf: 'open' })] }))).toEqual([]);
  });

  it('contain a denial once, and nothing that the door already announced', () => {
    const denied = anEvent({ kind: 'deny', words: 'Front door denied: unknown PIN' });
    const after = aWorld({ happenings: [denied] });
    expect(announcements(aWorld(), after)).toEqual(['Front door denied: unknown PIN']);
    expect(announcements(after, aWorld({ happenings: [{ ...denied, deliveries: 1 }] }))).toEqual([]);
    expect(announcements(aWorld(), aWorld({ happenings: [anEvent()] }))).toEqual([]);
  });
});
