import * as z from 'zod';
import type { ExclusiveResource, ExclusiveUse, ProfilePath } from '../definition/define-driver.ts';

/** Labels of GPIO chips, because chip numbers differ between boards and kernels. The first existing chip is used. */
const chipLabels = z.array(z.string().min(1).max(64)).min(1).max(8);

/** The field of every bus on GPIO lines. */
export const onChip = { chip: chipLabels };
export const gpioOffset = z.int().min(0).max(511);

interface GpioLine {
  readonly chip: readonly string[];
  readonly line: number;
}

/** The kernel assigns a line only once. Buses with a common chip label may use the same chip. */
const gpioLine: ExclusiveResource<GpioLine> = {
  overlaps: (a, b) => a.line === b.line && a.chip.some(label => b.chip.includes(label)),
  describe: ({ line }, _, at) => `line ${line} is already used by ${at}`,
};

export const useGpioLine = (chip: readonly string[], line: number, at: ProfilePath): ExclusiveUse => ({
  resource: gpioLine,
  used: { chip, line } satisfies GpioLine,
  at,
});

/** Pin of the 40-pin header for each GPIO line of a Raspberry Pi. */
const pinOfLine: Readonly<Record<number, number>> = {
  0: 27,
  1: 28,
  2: 3,
  3: 5,
  4: 7,
  5: 29,
  6: 31,
  7: 26,
  8: 24,
  9: 21,
  10: 19,
  11: 23,
  12: 32,
  13: 33,
  14: 8,
  15: 10,
  16: 36,
  17: 11,
  18: 12,
  19: 35,
  20: 38,
  21: 40,
  22: 15,
  23: 16,
  24: 18,
  25: 22,
  26: 37,
  27: 13,
};

const isRaspberry = (chip: readonly string[]): boolean => chip.some(label => /^pinctrl-(?:bcm|rp1)/.test(label));

/** `GPIO 17 (pin 11)` on a Raspberry Pi, `line 17` elsewhere. */
export const describeGpioLine = (chip: readonly string[], line: number): string => {
  const pin = isRaspberry(chip) ? pinOfLine[line] : undefined;
  return pin === undefined ? `line ${line}` : `GPIO ${line} (pin ${pin})`;
};
