import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newTestDatabase } from '../support/bridge/postgres.ts';
import { programFile } from '../support/processes/bundled-programs.ts';
import type { StartDuringOutage } from '../support/faults/start-bridge-during-outages-process.ts';
import { iterations } from '../support/test-iterations-and-seed.ts';

const outagesProcess = programFile('start-bridge-during-outages');

describe('A bridge whose database fails while it starts', () => {
  it('closes everything, so that the process ends and is restarted', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-start-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const step = iterations({ sample: 6, all: 1 });
    const args = [outagesProcess, dataDir, await newTestDatabase(), String(step)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 150_000 });
    const starts = JSON.parse(stdout) as readonly StartDuringOutage[];
    expect(starts.length * step).toBeGreaterThan(20);
    expect(starts.filter(({ left }) => left.length > 0)).toEqual([]);
  });
});
