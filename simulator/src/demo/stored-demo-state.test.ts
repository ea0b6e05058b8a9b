import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { damageFile, fileDamages } from '@lintel/test/support/faults/file-damage';
import { expect, it, onTestFinished } from 'vitest';
import { readStoredDemoState } from './stored-demo-state.ts';

it.each(Object.keys(fileDamages))('names the file of the demo state if it is %s', damage => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-demo-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'simulator.json');
  writeFileSync(file, '{}');
  damageFile(file, damage);
  expect(() => readStoredDemoState(folder)).toThrow(file);
});
