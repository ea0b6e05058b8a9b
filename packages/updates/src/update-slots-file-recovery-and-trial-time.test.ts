import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ProgramLaunchPlan, decideAndSaveProgramLaunch } from './decide-and-save-program-launch.ts';
import { ReleasesFolder } from './releases-folder.ts';
import { emptyUpdateSlots, computeOldestAcceptedVersion } from './update-slot-state.ts';

let folder: string;
let files: ReleasesFolder;
let warnings: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-slots-'));
  files = new ReleasesFolder(join(folder, 'releases'));
  warnings = [];
  writeProgram(join(folder, 'package'), '1.0.0');
  writeProgram(files.releaseFolder(good.release), good.version);
});
afterEach(() => rmSync(folder, { recursive: true }));

const good = { release: '2.0.0-a', version: '2.0.0' };

const writeProgram = (directory: string, version: string): void => {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'start'), '#!/bin/sh\n');
  chmodSync(join(directory, 'start'), 0o755);
  const facts = { program: 'controller', version, arch: 'all', entry: 'start' };
  writeFileSync(join(directory, 'release.json'), JSON.stringify(facts));
};
const launch = (trialSeconds = 300): ProgramLaunchPlan =>
  decideAndSaveProgramLaunch({ releases: files.folder, package: join(folder, 'package'), trialSeconds }, message =>
    warnings.push(message),
  );
const first = (): string => join(files.folder, 'slots.json');
const copy = (): string => join(files.folder, 'slots-copy.json');

describe('update slot files', () => {
  describe('confirmed version', () => {
    it.each([
      ['truncated', '{"v":1,"good":{"rel'],
      ['empty', ''],
      ['filled with zeros', '\0'.repeat(100)],
      ['of another type', '[]'],
      ['without a valid release', '{"v":1,"good":7}'],
    ])('is read from its copy when the file is %s, reported, and repaired at the next start', (_, text) => {
      files.write({ ...emptyUpdateSlots, good });
      writeFileSync(first(), text);
      expect(computeOldestAcceptedVersion(files.read(), '1.0.0')).toBe('2.0.0');
      expect(files.load().damage).toBe(`${first()} is damaged. Its copy is used instead`);
      expect(launch()).toMatchObject({ version: '2.0.0', isTrial: false });
      expect(warnings).toEqual([expect.stringContaining('slots.json is damaged')]);
      expect([files.load().damage, readFileSync(first(), 'utf8')]).toEqual([null, readFileSync(copy(), 'utf8')]);
    });

    it('is read from its copy when the file is missing', () => {
      files.write({ ...emptyUpdateSlots, good });
      rmSync(first());
      expect(files.read().good).toEqual(good);
      expect(files.load().damage).toContain('missing');
    });

    it('is copied at the next start when it has no copy', () => {
      files.write({ ...emptyUpdateSlots, good });
      rmSync(copy());
      launch();
      expect([existsSync(copy()), warnings]).toEqual([true, []]);
    });

    it('is the version that ran last when both files are damaged, unless that was on trial', () => {
      for (const file of [first(), copy()]) writeFileSync(file, 'x');
      expect(files.read().good).toBeNull();
      symlinkSync(files.releaseFolder(good.release), join(files.folder, 'current'));
      expect(files.read().good).toEqual(good);
      writeFileSync(files.trialFile, '');
      expect(files.read().good).toBeNull();
      expect(files.load().damage).toContain('No confirmed version is known');
    });

    it('is absent on a new device, which is not damage', () => {
      expect(files.load()).toEqual({ slots: emptyUpdateSlots, damage: null, isCopyCurrent: true });
    });
  });

  describe('trial time', () => {
    const setPending = (): void => files.setPending({ id: 'a', ...good, rollout_id: null, before: null });

    it('continues when the version is started again', () => {
      setPending();
      expect(launch(300)).toMatchObject({ isTrial: true, secondsLeft: 300 });
      writeFileSync(files.spentSecondsFile, '.'.repeat(200));
      expect(launch(300)).toMatchObject({ isTrial: true, secondsLeft: 100 });
    });

    it('stays used up for all further starts', () => {
      setPending();
      launch(300);
      writeFileSync(files.spentSecondsFile, '.'.repeat(300));
      expect(launch(300)).toMatchObject({ isTrial: false, version: '1.0.0' });
      expect(files.read().last).toMatchObject({ result: 'rolled_back', reason: expect.stringContaining('late') });
      expect(files.read().given_up).toEqual([good.release]);
    });

    it('starts over with another trial', () => {
      writeFileSync(files.spentSecondsFile, '.'.repeat(300));
      setPending();
      expect(launch(300)).toMatchObject({ isTrial: true, secondsLeft: 300 });
    });
  });
});
