import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OutputLevels } from './output-levels.ts';
import { describePhoneOpeningFailure } from './simulated-bluetooth-phone.ts';
import { mapDoorsToOpeningCodes } from './map-doors-to-opening-codes.ts';

let changes: string[];
let outputs: OutputLevels;

beforeEach(() => {
  vi.useFakeTimers();
  changes = [];
  outputs = new OutputLevels((output, isOn) => void changes.push(`${output} ${isOn ? 'on' : 'off'}`));
});

afterEach(() => {
  vi.useRealTimers();
});

describe('OutputLevels', () => {
  it('turns an output off after a pulse, but not after a level', () => {
    outputs.set('green', true, 200);
    outputs.set('red', true, null);
    vi.advanceTimersByTime(10_000);
    expect(changes).toEqual(['green on', 'red on', 'green off']);
  });

  it('keeps an output on when a second pulse follows the first', () => {
    outputs.set('strike', true, 1_000);
    vi.advanceTimersByTime(900);
    outputs.set('strike', true, 1_000);
    vi.advanceTimersByTime(900);
    expect(outputs.isOn('strike')).toBe(true);
    vi.advanceTimersByTime(200);
    expect(changes).toEqual(['strike on', 'strike off']);
  });

  it('turns all outputs off without power', () => {
    outputs.set('green', true, 200);
    outputs.set('red', true, null);
    outputs.allOff();
    vi.advanceTimersByTime(10_000);
    expect(changes).toEqual(['green on', 'red on', 'green off', 'red off']);
  });
});

describe('describePhoneOpeningFailure', () => {
  it('says why a door did not open', () => {
    expect(describePhoneOpeningFailure('granted', 2)).toBeNull();
    expect(describePhoneOpeningFailure('denied', 2)).toContain('denied access');
    for (const [distance, rssi] of [
      [0, -20],
      [1, -50],
      [2, -59],
      [10, -80],
      [15, -85],
    ] as const)
      expect(describePhoneOpeningFailure('too_far', distance)).toContain(`the signal at ${distance} m is ${rssi} dBm`);
    expect(describePhoneOpeningFailure('malformed', 2)).toBe('The exchange failed: malformed');
  });
});

const doors = [
  { key: 'front', gadgetId: 'gad_1' },
  { key: 'garage', gadgetId: 'gad_2' },
];
const rule = (code: string, gadget_id: string, action_id = 'open') => ({ code, gadget_id, action_id });

describe('openingCodesOf', () => {
  it('has the code of the rule that opens each door', () => {
    const rules = [rule('#9', 'gad_2', 'hold'), rule('', 'gad_1'), rule('*5', 'gad_2'), rule('*6', 'gad_3')];
    expect(mapDoorsToOpeningCodes(rules, doors)).toEqual(
      new Map([
        ['front', ''],
        ['garage', '*5'],
      ]),
    );
  });

  it('has no code for a door without a rule', () => {
    expect([...mapDoorsToOpeningCodes([rule('*1', 'gad_2')], doors).keys()]).toEqual(['garage']);
  });

  it('opens the first door without any rules', () => {
    expect([...mapDoorsToOpeningCodes([], doors)]).toEqual([['front', '']]);
  });
});
