import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

const copyFromCanvas = `const copyLuma = (out, _, { width, height, data }) => {
  for (let at = 0; at < width * height; at++)
    out[at] = (data[4 * at] + 2 * data[4 * at + 1] + data[4 * at + 2]) >> 2;
};`;

/**
 * What the technician page does not use: error messages, drawing callbacks, checks of options and pictures, asynchronous
 * decoding, pictures in other formats than that of a canvas, texts in other encodings than UTF-8.
 */
const unusedParts: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/new (?:Type|Range)?Error\((?:[\s+]*(['"`])(?:(?!\1)[^\\]|\\.)*\1)+\)/g, 'new Error()'],
  [/\b(?:(?:ctx|this)\.)?opts\.(?:pointsOnDetect|imageOnResult|imageOnBitmap)\b/g, 'undefined'],
  [/^ +validateOpts\(\w+\);$/gm, ''],
  [/^const validateImage = [^]*?^\};$/gm, 'const validateImage = () => undefined;'],
  [/^const copyLuma = [^]*?^\};$/gm, copyFromCanvas],
  [/^ {4}finish\([^]*?^ {4}\},$/gm, ''],
  [/Payload\.decode\((.*), !!this\.opts\.textDecoder\)/g, 'Payload.decode($1)'],
  [/decoded instanceof Error \? decoded : Payload\.finish\(decoded, this\.opts\.textDecoder\)/g, 'decoded'],
  [/^ +if \(parts\) \{[^]*?^ +\}\n +else \{/gm, '{'],
  [/^ +if \(res\)\n +parts\.push\(res\);\n +return parts;$/gm, ''],
  [/^const ECI_ENCODINGS = \{[^]*?^\};$/gm, "const ECI_ENCODINGS = { 26: 'utf-8' };"],
  [/^ {4}(?:async )?(?:beginOperation|endOperation|clean|decodeAsync|processImage)\([^]*?^ {4}\}$/gm, ''],
  [/^ +(?:scanner\.clean|this\.(?:begin|end)Operation)\(\);$/gm, ''],
];

/** Throws when a part is not found, so that the build notices a new version of the decoder that is written differently. */
export const trimQrDecoder = (source: string): string =>
  unusedParts.reduce((rest, [pattern, replacement]) => {
    if (rest.search(pattern) === -1) throw new Error(`The QR decoder has changed: nothing matches ${pattern.source}`);
    return rest.replaceAll(pattern, replacement);
  }, source);

/** Keeps the page within its size limit: the decoder is a quarter of it. */
export const trimQrDecoderPlugin: Plugin = {
  name: 'trimmed-qr-decoder',
  setup: build =>
    build.onLoad({ filter: /[\\/]qr[\\/]decode\.js$/ }, ({ path }) => ({
      contents: trimQrDecoder(readFileSync(path, 'utf8')),
    })),
};
