import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitTextToWidth, measureVisibleTextWidth } from './text-boxes.ts';
import { drawTerminalScreen } from './draw-screen.ts';
import type { DoorSimulationState } from './door-simulation.ts';

const view: DoorSimulationState = {
  product: 'A controller',
  rulesFile: null,
  stations: [
    { id: 'main', hasKeypad: true, hasReader: true, green: true, red: false, buzzer: null, lockedForMs: 0 },
    { id: 'side', hasKeypad: false, hasReader: true, green: null, red: null, buzzer: null, lockedForMs: 0 },
  ],
  station: 0,
  doors: [
    { name: 'Front', strike: 'relay_1', isUnlocked: true, isOpen: false, hasExitButton: true, state: 'unlocked' },
    { name: 'Back', strike: 'relay_2', isUnlocked: false, isOpen: null, hasExitButton: false, state: 'locked' },
  ],
  door: 0,
  others: [{ name: 'Light', state: 'off' }],
  entry: { phase: 'armed', armed: 'open Front', typed: '*1••', expected: 'a PIN or a card' },
  decision: 'DENIED  open Front by pin: unknown PIN or card (unknown_credential)',
  history: Array.from({ length: 50 }, (_, index) => `event ${index}`),
  faults: ['the reader does not answer'],
};

const drawn = (given: DoorSimulationState, columns: number, rows: number): string[] =>
  drawTerminalScreen(given, { columns, rows }).map(stripVTControlCharacters);

describe('terminal screen', () => {
  describe('layout', () => {
    it('never exceeds the terminal, whatever its size and contents', () => {
      const texts = fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 200 }), { maxLength: 40 });
      fc.assert(
        fc.property(
          fc.integer({ min: 20, max: 200 }),
          fc.integer({ min: 1, max: 60 }),
          texts,
          (columns, rows, history) => {
            const lines = drawn({ ...view, history }, columns, rows);
            expect(lines).toHaveLength(rows);
            expect(lines.filter(line => line.length !== columns)).toEqual([]);
          },
        ),
      );
    });

    it('shows as many of the latest events as fit', () => {
      const lines = drawn(view, 80, 24);
      expect(lines.some(line => line.startsWith('event 49'))).toBe(true);
      expect(lines.some(line => line.startsWith('event 10 '))).toBe(false);
      expect(drawn(view, 80, 60).some(line => line.startsWith('event 20'))).toBe(true);
    });

    it('shows lock, lights, the selected rule, other doors and faults', () => {
      const text = drawn(view, 80, 24).join('\n');
      for (const part of [
        '▯ UNLOCKED',
        '● green',
        '○ red',
        'no buzzer',
        'rule selected: open Front   *1••',
        'Back locked · Light off',
      ]) {
        expect(text).toContain(part);
      }
      expect(text).toContain('the reader does not answer');
      expect(text).toContain('Tab next station · d next door');
    });

    it('shows that a keypad is locked out', () => {
      const stations = [{ ...view.stations[0]!, lockedForMs: 20_000 }];
      expect(drawn({ ...view, stations }, 80, 24).join('\n')).toContain('locked out');
    });
  });

  it('measures the visible width of a text', () => {
    expect(measureVisibleTextWidth('\u001B[32mgreen\u001B[0m')).toBe(5);
    expect(fitTextToWidth('\u001B[32mgreen\u001B[0m', 3)).toBe('gr…');
    expect(fitTextToWidth('ab', 4)).toBe('ab  ');
  });
});
