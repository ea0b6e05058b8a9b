import type { SeededRandom } from './seeded-random.ts';
import { iterations } from './test-iterations-and-seed.ts';

/** How many damaged frames a fuzz test of a decoder sends. */
export const FRAMES = iterations({ sample: 20_000, all: 1_000_000 });
/** How many times 4 KiB of random bytes it sends. */
export const GARBAGE_PIECES = iterations({ sample: 64, all: 2_560 });
export const LONG_RUN_MS = 600_000;

/** Truncates the frame, extends it, puts noise before it, changes a few of its bytes, or returns it unchanged. */
export const damageFrame = (frame: Uint8Array, random: SeededRandom): Buffer => {
  const copy = Buffer.from(frame);
  switch (random.below(6)) {
    case 0:
      return copy.subarray(0, random.below(copy.length));
    case 1:
      return Buffer.concat([copy, Buffer.alloc(random.below(300), random.below(256))]);
    case 2:
      return Buffer.concat([Buffer.from(Array.from({ length: random.below(12) }, () => random.below(256))), copy]);
    case 3:
      return copy;
    default:
      for (let times = random.below(4); times >= 0; times--) copy[random.below(copy.length)] = random.below(256);
      return copy;
  }
};

/** 4 KiB of random bytes. */
export const garbage = (random: SeededRandom): Uint8Array =>
  Uint8Array.from({ length: 4_096 }, () => random.below(256));
