import { readFileSync } from 'node:fs';
import { build, type Plugin } from 'esbuild';

/** Of a picture, of an iterator and of an option of `TextDecoder`: these names belong to others too. */
const foreignNames = ['data', 'done', 'fatal', 'height', 'next', 'return', 'throw', 'value', 'width'];

const namesOf = (thing: unknown): readonly string[] => {
  if (thing === null || (typeof thing !== 'object' && typeof thing !== 'function')) return [];
  return [...Object.getOwnPropertyNames(thing), ...namesOf(Object.getPrototypeOf(thing))];
};

/** Every property of what the language brings along. */
const languageNames = (): ReadonlySet<string> => {
  const globals = Object.values(Object.getOwnPropertyDescriptors(globalThis)).map(({ value }) => value as unknown);
  const prototypes = globals.map(value => (typeof value === 'function' ? (value.prototype as unknown) : null));
  return new Set([...globals, ...prototypes].flatMap(namesOf));
};

/**
 * What the page never uses of the decoder: words of complaint (a picture without a code is the usual case), drawings of
 * what was found, work in small pieces, other scripts than Unicode. Where a later version reads otherwise nothing is cut,
 * and the test of the page's size tells.
 */
const cuts: readonly (readonly [RegExp, string])[] = [
  [/new (?:Type|Range)?Error\((?:[\s+]*(['"`])(?:(?!\1)[^\\]|\\.)*\1)+\)/g, 'new Error()'],
  [/\b(?:(?:ctx|this)\.)?opts\.(?:pointsOnDetect|imageOnResult|imageOnBitmap)\b/g, 'undefined'],
  [/\bthis\.points(?=\))/g, 'undefined'],
  [/\bif \(cooperative\b/g, 'if (false'],
  [/\bcooperative \?/g, 'false ?'],
  [/^ {4}(?:async )?(?:beginOperation|endOperation|clean|decodeAsync|processImage)\([^]*?^ {4}\}$/gm, ''],
  [/\bif \(named !== undefined\)/g, 'if (false)'],
  [/^const ECI_ENCODINGS = \{[^]*?^\};$/gm, "const ECI_ENCODINGS = { 3: 'utf-8', 26: 'utf-8' };"],
  [/^ +(?:scanner\.clean|this\.(?:begin|end)Operation)\(\);$/gm, ''],
  [/^ +validateOpts\(\w+\);$/gm, ''],
];

/** A name that is also a text may be looked up by it. */
const textsIn = (source: string): readonly string[] =>
  Array.from(source.matchAll(/(['"`])(\w+)\1/g), ([, , text]) => text ?? '');

const cut = (source: string): string => cuts.reduce((rest, [what, by]) => rest.replaceAll(what, by), source);

const cutOnLoad: Plugin = {
  name: 'cuts',
  setup: building =>
    building.onLoad({ filter: /[\\/]qr[\\/]\w+\.js$/ }, ({ path }) => ({ contents: cut(readFileSync(path, 'utf8')) })),
};

/** The decoder of QR codes, the largest part of the page: its own names are shortened, what nobody uses is left out. */
export const slimDecoder = async (path: string): Promise<string> => {
  const sources = [path, path.replace(/decode\.js$/, 'index.js')].map(file => readFileSync(file, 'utf8'));
  const kept = new Set([...languageNames(), ...foreignNames, ...sources.flatMap(textsIn)]);
  const { outputFiles } = await build({
    stdin: { contents: `export { decodeQR } from ${JSON.stringify(path)};`, resolveDir: import.meta.dirname },
    plugins: [cutOnLoad],
    bundle: true,
    format: 'esm',
    minify: true,
    mangleProps: /./,
    reserveProps: new RegExp(`^(?:${[...kept].filter(name => /^\w+$/.test(name)).join('|')})$`),
    write: false,
  });
  return outputFiles[0]?.text ?? '';
};
