import { describe, expect, it } from 'vitest';
import { createTestDoor, createTestActivityEntry, createTestSimulatorState } from './simulator-state.test-support.ts';
import { createScreenReaderAnnouncements } from './screen-reader-announcements.ts';

const announceDoor = (changes: Parameters<typeof createTestDoor>[0]) =>
  createScreenReaderAnnouncements(
    createTestSimulatorState(),
    createTestSimulatorState({ doors: [createTestDoor(changes)] }),
  );

describe('announcements', () => {
  it('contain a door that opens, closes, unlocks or gives an alarm', () => {
    expect(announceDoor({ leaf: 'open', is_unlocked: true })).toEqual(['Front door open']);
    expect(announceDoor({ is_unlocked: true })).toEqual(['Front door unlocked']);
    expect(announceDoor({ leaf: 'open', alarm: 'forced' })).toEqual(['Alarm: Front door forced open']);
    expect(announceDoor({ alarm: 'held_open' })).toEqual(['Alarm: Front door held open']);
    expect(
      createScreenReaderAnnouncements(
        createTestSimulatorState({ doors: [createTestDoor({ leaf: 'open' })] }),
        createTestSimulatorState(),
      ),
    ).toEqual(['Front door closed']);
  });

  it('are empty without a change and for new doors', () => {
    expect(createScreenReaderAnnouncements(createTestSimulatorState(), createTestSimulatorState())).toEqual([]);
    expect(
      createScreenReaderAnnouncements(
        createTestSimulatorState({ doors: [] }),
        createTestSimulatorState({ doors: [createTestDoor({ leaf: 'open' })] }),
      ),
    ).toEqual([]);
  });

  it('contain a denial once, and nothing that the door already announced', () => {
    const denied = createTestActivityEntry({ kind: 'deny', words: 'Front door denied: unknown PIN' });
    const after = createTestSimulatorState({ activity: [denied] });
    expect(createScreenReaderAnnouncements(createTestSimulatorState(), after)).toEqual([
      'Front door denied: unknown PIN',
    ]);
    expect(
      createScreenReaderAnnouncements(after, createTestSimulatorState({ activity: [{ ...denied, deliveries: 1 }] })),
    ).toEqual([]);
    expect(
      createScreenReaderAnnouncements(
        createTestSimulatorState(),
        createTestSimulatorState({ activity: [createTestActivityEntry()] }),
      ),
    ).toEqual([]);
  });
});
