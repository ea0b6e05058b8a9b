import { describe, expect, it } from 'vitest';
import {
  createDeviceEntry,
  createGadgetEntry,
  createMemberGroupEntry,
  createMemberEntry,
  createSiteEntry,
} from '../testing/snapshot-entries.ts';
import { createSingleDoorSnapshot, testCredentialDigester, DoorHarness, TEST_NOON } from '../testing/door-harness.ts';

const rule = (code: string, gadget_id: string, action_id = 'open') => ({ code, gadget_id, action_id });

describe('door loop', () => {
  describe('known PIN', () => {
    it('is recorded before the relay switches, and the strike relocks after the strike time', async () => {
      const door = await DoorHarness.open();
      door.press('2580');
      expect(door.timeline.filter(line => line !== 'buzzer on')).toEqual(['use', 'strike-0 on', 'green on']);
      expect(door.recorded[0]).toMatchObject({
        kind: 'use',
        gadget_id: 'gad_door',
        gadget_action_id: 'open',
        time_trusted: true,
        occurred_at: TEST_NOON,
        subject: { member_id: 'mem_ann', member_pin_id: 'mp_mem_ann-4', access_method: 'pin' },
      });
      expect(door.recorded[0]?.id).toMatch(/^evt_[0-9a-z]{26}$/);
      door.clock.advance(4_999);
      expect(door.isUnlocked).toBe(true);
      door.clock.advance(1);
      expect(door.isUnlocked).toBe(false);
      expect(door.timeline.at(-1)).toBe('strike-0 off');
    });

    it('may be followed by #, and the light stays green', async () => {
      const door = await DoorHarness.open();
      door.press('2580#');
      expect(door.timeline).not.toContain('red on');
      door.press('#');
      expect(door.timeline).not.toContain('red on');
      door.clock.advance(2_001);
      door.press('#');
      expect(door.timeline).toContain('red on');
    });

    it('followed by # selects no rule for the next person', async () => {
      const door = await DoorHarness.open([
        ...createSingleDoorSnapshot().filter(entry => entry.type !== 'device'),
        createDeviceEntry([rule('', 'gad_door'), rule('#', 'gad_garage')]),
        createGadgetEntry({ id: 'gad_garage', created_at: 2 }),
      ]);
      door.press('2580#');
      door.reader.tap('04a1b2c3');
      door.press('#');
      door.reader.tap('04a1b2c3');
      expect(door.recorded.map(({ kind, gadget_id }) => `${kind} ${gadget_id}`)).toEqual(
        Array.from({ length: 3 }, () => 'use gad_door'),
      );
      door.clock.advance(2_001);
      door.press('#');
      door.reader.tap('04a1b2c3');
      expect(door.recorded.at(-1)).toMatchObject({ gadget_id: 'gad_garage' });
    });

    it('does not excuse other keys: *, or # after another entry', async () => {
      const star = await DoorHarness.open();
      star.press('2580*');
      expect(star.timeline).toContain('red on');
      const wrong = await DoorHarness.open();
      wrong.press('25809999#');
      expect(wrong.timeline).toContain('red on');
    });

    it('waits for a longer PIN that begins with it, and is submitted after the pause', async () => {
      const door = await DoorHarness.open([
        ...createSingleDoorSnapshot({ extendedPins: ['2580'] }),
        createMemberEntry(testCredentialDigester, 'mem_bob', { pins: ['258077'], groups: ['mg_all'] }),
      ]);
      door.press('2580');
      expect(door.isUnlocked).toBe(false);
      door.clock.advance(3_000);
      expect(door.recorded.map(({ subject }) => subject?.member_id)).toEqual(['mem_ann']);
      door.press('258077');
      expect(door.recorded.map(({ subject }) => subject?.member_id)).toEqual(['mem_ann', 'mem_bob']);
    });
  });

  describe('second grant during a momentary unlock', () => {
    it('moves the single relock to the later time', async () => {
      const door = await DoorHarness.open();
      door.press('2580');
      door.clock.advance(4_000);
      door.reader.tap('04a1b2c3');
      door.clock.advance(4_999);
      expect(door.isUnlocked).toBe(true);
      door.clock.advance(1);
      expect(door.isUnlocked).toBe(false);
      expect(door.timeline.filter(line => line === 'strike-0 off')).toHaveLength(1);
      expect(door.kinds()).toEqual(['use', 'use']);
    });
  });

  describe('denied access', () => {
    it.each([
      ['an unknown PIN', (door: DoorHarness) => door.press('9999#'), 'unknown_credential', null],
      ['an unknown card', (door: DoorHarness) => door.reader.tap('ffffffff'), 'unknown_credential', null],
    ])('is recorded for %s with its reason, and nothing switches', async (_, act, reason, member) => {
      const door = await DoorHarness.open();
      act(door);
      expect(door.recorded).toMatchObject([{ kind: 'deny', reason, gadget_id: 'gad_door' }]);
      expect(door.recorded[0]?.subject?.member_id ?? null).toBe(member);
      expect(door.timeline).not.toContain('strike-0 on');
    });

    it('names the member when the credential is known', async () => {
      const ended = createMemberEntry(testCredentialDigester, 'mem_eve', {
        cards: ['0badcafe'],
        groups: ['mg_all'],
        ends_at: TEST_NOON,
      });
      const stranger = createMemberEntry(testCredentialDigester, 'mem_joe', { cards: ['0badbeef'] });
      const door = await DoorHarness.open([...createSingleDoorSnapshot(), ended, stranger]);
      door.reader.tap('0badcafe');
      door.reader.tap('0badbeef');
      expect(door.recorded).toMatchObject([
        { kind: 'deny', reason: 'member_ended', subject: { member_id: 'mem_eve', member_card_id: 'mc_mem_eve-0' } },
        { kind: 'deny', reason: 'no_group', subject: { member_id: 'mem_joe', access_method: 'card' } },
      ]);
    });

    it('shows the same red light whatever the reason', async () => {
      const door = await DoorHarness.open();
      door.press('9999#');
      const unknown = door.timeline.filter(line => !line.startsWith('deny'));
      const other = await DoorHarness.open([
        ...createSingleDoorSnapshot(),
        createMemberEntry(testCredentialDigester, 'mem_joe', { pins: ['9999'] }),
      ]);
      other.press('9999');
      expect(other.timeline.filter(line => !line.startsWith('deny')).slice(3)).toEqual(unknown.slice(4));
    });
  });

  describe('input rules', () => {
    const twoDoors = (rules: readonly object[]) => [
      createDeviceEntry(rules),
      createSiteEntry(),
      createGadgetEntry({ id: 'gad_door', created_at: 1 }),
      createGadgetEntry({ id: 'gad_light', created_at: 2, actions: ['on', 'off'] }),
      createMemberGroupEntry('mg_all', [{}]),
      createMemberEntry(testCredentialDigester, 'mem_ann', { pins: ['2580'], cards: ['04a1b2c3'], groups: ['mg_all'] }),
    ];

    it('direct a PIN after a code to the gadget of the rule, and a PIN without a code to the default rule', async () => {
      const door = await DoorHarness.open(twoDoors([rule('', 'gad_door'), rule('*2', 'gad_light', 'on')]));
      door.press('*22580');
      door.press('2580');
      expect(door.recorded.map(({ gadget_id, gadget_action_id }) => [gadget_id, gadget_action_id])).toEqual([
        ['gad_light', 'on'],
        ['gad_door', 'open'],
      ]);
      expect(door.outputs.isOn('output-1')).toBe(true);
    });

    it('direct a card after a code to the gadget of the rule', async () => {
      const door = await DoorHarness.open(twoDoors([rule('*2', 'gad_light', 'on')]));
      door.press('*2');
      door.reader.tap('04A1B2C3');
      expect(door.recorded).toMatchObject([
        { kind: 'use', gadget_id: 'gad_light', subject: { access_method: 'card' } },
      ]);
    });

    it('without a default rule ignore a card, but record its member', async () => {
      const door = await DoorHarness.open(twoDoors([rule('*2', 'gad_light', 'on')]));
      door.reader.tap('04a1b2c3');
      expect(door.recorded).toMatchObject([
        { kind: 'deny', reason: 'no_input_rule', subject: { member_id: 'mem_ann' } },
      ]);
    });

    it('that are absent mean the first action of the oldest gadget', async () => {
      const door = await DoorHarness.open(twoDoors([]));
      door.reader.tap('04a1b2c3');
      expect(door.recorded).toMatchObject([{ kind: 'use', gadget_id: 'gad_door', gadget_action_id: 'open' }]);
    });

    it('that conflict direct nothing', async () => {
      const door = await DoorHarness.open(twoDoors([rule('*2', 'gad_light', 'on'), rule('*22', 'gad_door')]));
      door.press('2580');
      door.reader.tap('04a1b2c3');
      expect(door.recorded).toMatchObject([{ kind: 'deny', reason: 'no_input_rule' }]);
    });

    it('are replaced with the snapshot, and a removed gadget is switched off', async () => {
      const door = await DoorHarness.open(twoDoors([rule('', 'gad_light', 'on')]));
      door.press('2580');
      expect(door.outputs.isOn('output-1')).toBe(true);
      await door.serve(createSingleDoorSnapshot());
      expect(door.outputs.isOn('output-1')).toBe(false);
      door.press('2580');
      expect(door.recorded.at(-1)).toMatchObject({ kind: 'use', gadget_id: 'gad_door' });
    });
  });

  describe('five wrong entries', () => {
    const lock = (door: DoorHarness) => {
      for (let count = 0; count < 5; count++) door.press('9999#');
    };

    it('lock the keypad with one more event, while cards still work', async () => {
      const door = await DoorHarness.open();
      lock(door);
      expect(door.recorded.map(({ reason }) => reason)).toEqual([
        ...Array.from({ length: 5 }, () => 'unknown_credential'),
        'locked_out',
      ]);
      door.press('2580');
      expect(door.kinds()).not.toContain('use');
      door.reader.tap('04a1b2c3');
      expect(door.kinds().at(-1)).toBe('use');
      door.clock.advance(30_000);
      door.press('2580');
      expect(door.kinds().filter(kind => kind === 'use')).toHaveLength(2);
    });

    it('keep the keypad locked over a restart', async () => {
      const before = await DoorHarness.open();
      lock(before);
      const after = await DoorHarness.open(createSingleDoorSnapshot(), { state: before.state });
      after.press('2580');
      expect(after.kinds()).toEqual([]);
      after.clock.advance(30_000);
      after.press('2580');
      expect(after.kinds()).toEqual(['use']);
    });
  });

  describe('untrusted time', () => {
    it('denies members with an end date and grants members without one', async () => {
      const guest = createMemberEntry(testCredentialDigester, 'mem_eve', {
        cards: ['0badcafe'],
        groups: ['mg_all'],
        ends_at: TEST_NOON + 1_000_000,
      });
      const wall = {
        now: () => TEST_NOON,
        isTrusted: () => false,
        source: () => 'floor' as const,
        poll: () => 'fine' as const,
        setByBridge: () => undefined,
        onSuspectTime: () => undefined,
        isResumed: () => false,
        onTrusted: () => undefined,
      };
      const door = await DoorHarness.open([...createSingleDoorSnapshot(), guest], { wall });
      door.reader.tap('0badcafe');
      door.reader.tap('04a1b2c3');
      expect(door.recorded).toMatchObject([
        { kind: 'deny', reason: 'time_untrusted', time_trusted: false },
        { kind: 'use', time_trusted: false },
      ]);
    });
  });

  describe('gadget of another controller', () => {
    const elsewhere = [
      createDeviceEntry([rule('', 'gad_gate')]),
      createSiteEntry(),
      createGadgetEntry({ id: 'gad_gate', device_id: 'dev_other' }),
      createMemberGroupEntry('mg_all', [{ gadget_id: 'gad_gate' }]),
      createMemberEntry(testCredentialDigester, 'mem_ann', { pins: ['2580'], groups: ['mg_all'] }),
    ];

    it('is requested there, and the only event is recorded by its owner', async () => {
      const door = await DoorHarness.open(elsewhere);
      door.peerResult = { outcome: 'done' };
      door.press('2580');
      expect(door.peerRequests).toMatchObject([
        {
          gadget_id: 'gad_gate',
          action_id: 'open',
          subject: { member_id: 'mem_ann' },
          occurred_at: TEST_NOON,
          trigger: null,
        },
      ]);
      await expect.poll(() => door.timeline).toContain('green on');
      expect(door.kinds()).toEqual([]);
    });

    it('that is unreachable is recorded as a fault that names the member and the action', async () => {
      const door = await DoorHarness.open(elsewhere);
      door.press('2580');
      await expect.poll(() => door.kinds()).toEqual(['fault']);
      expect(door.recorded[0]).toMatchObject({
        fault: 'gadget_unreachable',
        gadget_id: 'gad_gate',
        subject: { member_id: 'mem_ann' },
      });
    });

    it('whose owner denies a PIN counts it as a wrong entry here', async () => {
      const door = await DoorHarness.open(elsewhere);
      door.peerResult = { outcome: 'denied', reason: 'no_group' };
      for (let count = 0; count < 5; count++) {
        door.press('2580');
        await Promise.resolve();
        await Promise.resolve();
      }
      await expect.poll(() => door.recorded.map(({ reason }) => reason)).toEqual(['locked_out']);
    });

    it('is not requested when access is denied here', async () => {
      const door = await DoorHarness.open(elsewhere);
      door.press('9999#');
      expect(door.peerRequests).toEqual([]);
      expect(door.recorded).toMatchObject([{ kind: 'deny', reason: 'unknown_credential', gadget_id: 'gad_gate' }]);
    });
  });

  it('writes no PIN and no card number to the log or the events', async () => {
    const door = await DoorHarness.open();
    door.press('7391#');
    door.reader.tap('0badcafe');
    door.outputs.fail({ kind: 'absent', message: 'unplugged' });
    door.press('2580');
    const reported = JSON.stringify([door.recorded, door.logged]);
    expect(reported).toContain('unplugged');
    for (const secret of ['7391', '2580', '0badcafe', '04a1b2c3']) expect(reported).not.toContain(secret);
  });
});
