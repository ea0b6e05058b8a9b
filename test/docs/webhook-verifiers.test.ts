import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { blocksOf, readPage } from './markdown.test-support.ts';

const PAGE = 'docs/integrator/webhooks.md';
const folder = mkdtempSync(join(tmpdir(), 'lintel-verifiers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sampleIn = (language: string, name: string): string => {
  const sample = blocksOf(readPage(PAGE)).find(block => block.language === language && block.text.includes(name));
  if (sample === undefined) throw new Error(`${PAGE} has no sample in ${language}`);
  return sample.text;
};

const writeSample = (file: string, text: string): string => {
  const path = join(folder, file);
  writeFileSync(path, text);
  return path;
};

const secret = 'whs_sample';
const body = '{"name":"Ännä ☃"}';
const genuine = createHmac('sha256', secret).update(body).digest('hex');
const cases: readonly (readonly [header: string | null, expected: boolean])[] = [
  [genuine, true],
  [null, false],
  ['', false],
  [genuine.slice(0, -1), false],
  [`${genuine}00`, false],
  [genuine.replace(/^./, digit => (digit === '0' ? '1' : '0')), false],
  ['z'.repeat(64), false],
  ['ä'.repeat(64), false],
];
const expected = cases.map(([, isGenuine]) => isGenuine);
const input = JSON.stringify({ secret, body, headers: cases.map(([header]) => header) });

const isInstalled = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

/** Runs the sample with the cases on stdin. Prints the results as JSON. */
const run = (command: string, file: string): unknown =>
  JSON.parse(execFileSync(command, [file], { input, encoding: 'utf8' }));

describe('signature verifiers in docs/integrator/webhooks.md', () => {
  it('accept a genuine header and reject all others in TypeScript', async () => {
    const path = writeSample('verifier.ts', sampleIn('ts', 'isGenuine'));
    const { isGenuine } = (await import(pathToFileURL(path).href)) as {
      isGenuine: (secret: string, body: Uint8Array, header: unknown) => boolean;
    };
    const verify = (header: unknown): boolean => isGenuine(secret, Buffer.from(body), header);
    expect(cases.map(([header]) => verify(header ?? undefined))).toEqual(expected);
    expect(verify([genuine])).toBe(false);
  });

  it('accept a genuine header and reject all others in Python', context => {
    if (!isInstalled('python3')) context.skip('python3 is not installed');
    const calls = `
import json, sys
given = json.load(sys.stdin)
print(json.dumps([is_genuine(given["secret"], given["body"].encode(), header) for header in given["headers"]]))
`;
    expect(run('python3', writeSample('verifier.py', sampleIn('python', 'is_genuine') + calls))).toEqual(expected);
  });

  it('accept a genuine header and reject all others in PHP', context => {
    if (!isInstalled('php')) context.skip('php is not installed');
    const calls = `
$given = json_decode(stream_get_contents(STDIN), true);
echo json_encode(array_map(fn($header) => is_genuine($given['secret'], $given['body'], $header), $given['headers']));
`;
    expect(run('php', writeSample('verifier.php', `<?php\n${sampleIn('php', 'is_genuine')}${calls}`))).toEqual(
      expected,
    );
  });
});
