import { expect, it } from 'vitest';
import { aDoor, aHappening, aWorld } from './a-world.test-data.ts';
import { announcements } from './announcements.ts';

const after = (changes: Parameters<typeof aDoor>[0]) => announcements(aWorld(), aWorld({ doors: [aDoor(changes)] }));

it('tells that a door opens, closes, lets go of its lock or gives an alarm', () => {
  expect(after({ leaf: 'open', is_unlocked: true })).toEqual(['Front door open']);
  expect(after({ is_unlocked: true })).toEqual(['Front door unlocked']);
  expect(after({ leaf: 'open', alarm: 'forced' })).toEqual(['Alarm: Front door was forced']);
  expect(after({ alarm: 'held_open' })).toEqual(['Alarm: Front door is held open']);
  expect(announcements(aWorld({ doors: [aDoor({ leaf: 'open' })] }), aWorld())).toEqual(['Front door closed']);
});

it('is silent while nothing changes, and about doors that have just come', () => {
  expect(announcements(aWorld(), aWorld())).toEqual([]);
  expect(announcements(aWorld({ doors: [] }), aWorld({ doors: [aDoor({ leaf: 'open' })] }))).toEqual([]);
});

it('tells a refusal once, and not what the door has told already', () => {
  const refused = aHappening({ kind: 'deny', words: 'Front door stayed closed: nobody has it' });
  const told = aWorld({ happenings: [refused] });
  expect(announcements(aWorld(), told)).toEqual(['Front door stayed closed: nobody has it']);
  expect(announcements(told, aWorld({ happenings: [{ ...refused, deliveries: 1 }] }))).toEqual([]);
  expect(announcements(aWorld(), aWorld({ happenings: [aHappening()] }))).toEqual([]);
});
