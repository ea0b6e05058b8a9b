import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceEnrollment } from '@lintel/device-link/identity/device-enrollment';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SiteSnapshotFile } from './site-snapshot-file.ts';
import { SiteSnapshot } from './site-snapshot.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-site-'));
  path = join(folder, 'site.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const problems: string[] = [];
const open = (): SiteSnapshot => {
  const file = new SiteSnapshotFile(path, undefined, problem => problems.push(problem));
  const enrollment = { device_id: 'dev_1', serial: '01' } as DeviceEnrollment;
  return new SiteSnapshot(
    file,
    () => enrollment,
    () => undefined,
  );
};

const windowAt = (highest: number) => ({ owner: '01', window: { highest, missing: [] } });

describe('SiteSnapshot with a file that cannot be read at the start', () => {
  it('keeps the file, reads it again, and keeps the higher counter', () => {
    open().write(windowAt(7));
    const saved = readFileSync(path, 'utf8');
    renameSync(path, `${path}.kept`);
    // Reads fail with ELOOP.
    symlinkSync('site.json', path);
    const snapshot = open();
    expect(problems.at(-1)).toContain('cannot be read');
    expect(snapshot.readAgain()).toBe(false);
    snapshot.write(windowAt(3));
    expect(() => readFileSync(path)).toThrow('ELOOP');
    rmSync(path);
    renameSync(`${path}.kept`, path);
    expect(snapshot.readAgain()).toBe(true);
    expect(snapshot.read()).toEqual(windowAt(7));
    expect(readFileSync(path, 'utf8')).toBe(saved);
    snapshot.write(windowAt(9));
    expect(open().read()).toEqual(windowAt(9));
  });
});
