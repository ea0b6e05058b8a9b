import { writeFileSync } from 'node:fs';
import { encodeQR } from 'qr';

const WIDTH = 640;
const HEIGHT = 480;
const WHITE = 235;
const BLACK = 16;
const FRAMES = 5;

/** Writes a Y4M video of a QR code, which Chromium can use as its camera. */
export const writeQrVideo = (text: string, file: string): void => {
  const code = encodeQR(text, 'raw', { border: 4, ecc: 'low' });
  const scale = Math.floor(HEIGHT / code.length);
  const [left, top] = [WIDTH, HEIGHT].map(side => Math.floor((side - code.length * scale) / 2)) as [number, number];
  const light = Buffer.alloc(WIDTH * HEIGHT, WHITE);
  for (const [row, modules] of code.entries()) {
    for (const [column, isDark] of modules.entries()) {
      if (!isDark) continue;
      for (let y = 0; y < scale; y++) {
        const at = (top + row * scale + y) * WIDTH + left + column * scale;
        light.fill(BLACK, at, at + scale);
      }
    }
  }
  const gray = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, gray]);
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(file, Buffer.concat([head, ...Array.from({ length: FRAMES }, () => frame)]));
};
