import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRetiredWords } from './find-retired-words.ts';
import { retiredNames, retiredPhrases } from './retired-words.ts';

const root = join(import.meta.dirname, '../../..');
const words = [...retiredNames, ...retiredPhrases];

const trackedFiles = (): string[] => {
  const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root });
  return listed.stdout.toString().split('\n');
};

const checked = trackedFiles().filter(
  path =>
    (/\.(?:tsx?|md|json|html|css|sh|service|conf|rules)$/.test(path) || path.startsWith('packages/packaging/files/')) &&
    !path.startsWith('test/checks/words/') &&
    existsSync(join(root, path)),
);
const findings = checked.flatMap(path =>
  findRetiredWords(readFileSync(join(root, path), 'utf8'), words).map(finding => ({ path, ...finding })),
);
for (const { path, line, text, replacement } of findings)
  process.stdout.write(`${path}:${line}: ${text}\n    write instead: ${replacement}\n`);
process.stdout.write(`words: ${checked.length} files, ${findings.length} retired words\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
