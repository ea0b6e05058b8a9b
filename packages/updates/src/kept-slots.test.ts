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
import { type Launch, planLaunch } from './launch-plan.ts';
import { SlotFiles } from './slot-files.ts';
import { emptySlots, floorOf } from './slot-machine.ts';

let folder: string;
let files: SlotFiles;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-slots-'));
  files = new SlotFiles(join(folder, 'releases'));
  said = [];
  program(join(folder, 'package'), '1.0.0');
  program(files.releaseFolder(good.release), good.version);
});
afterEach(() => rmSync(folder, { recursive: true }));

const good = { release: '2.0.0-a', version: '2.0.0' };

const program = (place: string, version: string): void => {
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'start'), '#!/bin/sh\n');
  chmodSync(join(place, 'start'), 0o755);
  const facts = { program: 'controller', version, arch: 'all', entry: 'start' };
  writeFileSync(join(place, 'release.json'), JSON.stringify(facts));
};
const launched = (trialSeconds = 300): Launch =>
  planLaunch({ releases: files.folder, package: join(folder, 'package'), trialSeconds }, words => said.push(words));
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
      files.write({ ...emptySlots, good });
      writeFileSync(first(), text);
      expect(floorOf(files.read(), '1.0.0')).toBe('2.0.0');
      expect(files.kept().damage).toBe(`${first()} is damaged: its copy is gone by`);
      expect(launched()).toMatchObject({ version: '2.0.0', isTrial: false });
      expect(said).toEqual([expect.stringContaining('slots.json is damaged')]);
      expect([files.kept().damage, readFileSync(first(), 'utf8')]).toEqual([null, readFileSync(copy(), 'utf8')]);
    });

    it('is read from its copy when the file is missing', () => {
      files.write({ ...emptySlots, good });
      rmSync(first());
      expect(files.read().good).toEqual(good);
      expect(files.kept().damage).toContain('not there');
    });

    it('is copied at the next start when it has no copy', () => {
      files.write({ ...emptySlots, good });
      rmSync(copy());
      launched();
      expect([existsSync(copy()), said]).toEqual([true, []]);
    });

    it('is the version that ran last when both files are damaged, unless that was on trial', () => {
      for (const file of [first(), copy()]) writeFileSync(file, 'x');
      expect(files.read().good).toBeNull();
      symlinkSync(files.releaseFolder(good.release), join(files.folder, 'current'));
      expect(files.read().good).toEqual(good);
      writeFileSync(files.trialMark, '');
      expect(files.read().good).toBeNull();
      expect(files.kept().damage).toContain('nothing is known to be confirmed');
    });

    it('is absent on a new device, which is not damage', () => {
      expect(files.kept()).toEqual({ slots: emptySlots, damage: null, isTwofold: true });
    });
  });

  describe('trial time', () => {
    const wished = (): void => files.wish({ id: 'a', ...good, rollout_id: null, before: null });

    it('continues when the version is started again', () => {
      wished();
      expect(launched(300)).toMatchObject({ isTrial: true, secondsLeft: 300 });
      writeFileSync(files.spentFile, '.'.repeat(200));
      expect(launched(300)).toMatchObject({ isTrial: true, secondsLeft: 100 });
    });

    it('stays used up for all further starts', () => {
      wished();
      launched(300);
      writeFileSync(files.spentFile, '.'.repeat(300));
      expect(launched(300)).toMatchObject({ isTrial: false, version: '1.0.0' });
      expect(files.read().last).toMatchObject({ result: 'rolled_back', reason: expect.stringContaining('late') });
      expect(files.read().given_up).toEqual([good.release]);
    });

    it('starts over with another trial', () => {
      writeFileSync(files.spentFile, '.'.repeat(300));
      wished();
      expect(launched(300)).toMatchObject({ isTrial: true, secondsLeft: 300 });
    });
  });
});
