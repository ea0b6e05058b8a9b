import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { encodeQR } from 'qr';
import { decodeQR } from 'qr/decode.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { trimQrDecoder } from '@lintel/console/testing';
import { iterations, runSeed } from '../support/test-iterations-and-seed.ts';

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}
type Decode = (picture: Picture) => string;

const WIDTH = 640;
const HEIGHT = 480;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.#=&:/';

const numbers = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

/** A rotated and tilted code in a noisy picture, as a phone camera sees it. */
const photograph = (text: string, next: () => number): Picture => {
  const code = encodeQR(text, 'raw', { ecc: 'low' });
  const side = code.length;
  const data = new Uint8ClampedArray(WIDTH * HEIGHT * 4).fill(255);
  const [turn, scale] = [(next() - 0.5) * 0.8, (300 + next() * 150) / side];
  const [tiltX, tiltY, noise] = [(next() - 0.5) * 6e-4, (next() - 0.5) * 6e-4, next() * 90];
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    const [x, y] = [(at % WIDTH) - WIDTH / 2, Math.floor(at / WIDTH) - HEIGHT / 2];
    const far = (1 + tiltX * x + tiltY * y) / scale;
    const column = Math.floor((Math.cos(turn) * x + Math.sin(turn) * y) * far + side / 2);
    const row = Math.floor((Math.cos(turn) * y - Math.sin(turn) * x) * far + side / 2);
    data.fill((code[row]?.[column] === true ? 40 : 220) + (next() - 0.5) * noise, at * 4, at * 4 + 3);
  }
  return { width: WIDTH, height: HEIGHT, data };
};

const readBy = (decode: Decode, picture: Picture): string | null => {
  try {
    return decode(picture);
  } catch {
    return null;
  }
};

describe('trimmed QR decoder', () => {
  let trimmed: Decode;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lintel-decoder-'));
    const original = fileURLToPath(import.meta.resolve('qr/decode.js'));
    const file = join(folder, 'decode.js');
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    copyFileSync(join(dirname(original), 'index.js'), join(folder, 'index.js'));
    writeFileSync(file, trimQrDecoder(readFileSync(original, 'utf8')));
    ({ decodeQR: trimmed } = (await import(pathToFileURL(file).href)) as { decodeQR: Decode });
    rmSync(folder, { recursive: true });
  });

  it('reads the same codes as the full decoder', () => {
    const next = numbers(runSeed());
    const lengths = [14, 60, 200, 500, 700];
    const rounds = iterations({ sample: 1, all: 8 });
    let readable = 0;
    for (const length of lengths) {
      for (let round = 0; round < rounds; round++) {
        const text = Array.from({ length }, () => LETTERS[Math.floor(next() * LETTERS.length)]).join('');
        const picture = photograph(text, next);
        const read = readBy(trimmed, picture);
        expect([length, round, read]).toEqual([length, round, readBy(decodeQR, picture)]);
        if (read === text) readable++;
      }
    }
    expect(readable).toBeGreaterThanOrEqual(iterations({ sample: 0, all: 10 }));
  });

  it('reads a code that is held straight', () => {
    const text = 'https://192.0.2.1/#code=7K3M0QXWPT5H';
    expect(
      readBy(
        trimmed,
        photograph(text, () => 0.5),
      ),
    ).toBe(text);
  });

  it('reads nothing in a picture without a code', () => {
    const data = new Uint8ClampedArray(WIDTH * HEIGHT * 4).fill(200);
    expect(readBy(trimmed, { width: WIDTH, height: HEIGHT, data })).toBeNull();
  });

  it('is not built from a decoder whose unused parts are written differently', () => {
    expect(() => trimQrDecoder('export const decodeQR = () => "";')).toThrow('The QR decoder has changed');
  });
});
