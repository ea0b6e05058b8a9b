import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** What the technician page does not use: error messages, drawing callbacks, checks of options, asynchronous decoding. */
const unusedParts: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/new (?:Type|Range)?Error\((?:[\s+]*(['"`])(?:(?!\1)[^\\]|\\.)*\1)+\)/g, 'new Error()'],
  [/\b(?:(?:ctx|this)\.)?opts\.(?:pointsOnDetect|imageOnResult|imageOnBitmap)\b/g, 'undefined'],
  [/^ +validateOpts\(\w+\);$/gm, ''],
  [/^ {4}(?:async )?(?:beginOperation|endOperation|clean|decodeAsync)\([^]*?^ {4}\}$/gm, ''],
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
