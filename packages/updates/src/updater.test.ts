import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { newReleaseKey, signerOf } from './release-files/release-keys.ts';
import { writeRelease } from './release-files/write-release.ts';
import type { Update } from '@lintel/wire-protocol/mqtt/messages/update';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptySlots } from './slot-machine.ts';
import { SlotFiles } from './slot-files.ts';
import { Updater, type UpdaterParts } from './updater.ts';

const signer = signerOf(newReleaseKey());

let folder: string;
let files: SlotFiles;
let archive: string;
let reported: string[];
let restarts: number;
let isQuiet: PromiseWithResolvers<void>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-updater-'));
  writeFileSync(join(folder, 'a.pub'), signer.publicPem);
  files = new SlotFiles(join(folder, 'releases'));
  archive = join(folder, 'a.release');
  const start = { path: 'start', isExecutable: true, read: () => Buffer.from('#!/bin/sh\n') };
  const plan = { program: 'controller', version: '1.1.0', arch: 'all', entry: 'start', minimum_version: null } as const;
  await writeRelease({ ...plan, allow_downgrade: false, createdAt: instant(0), files: [start] }, signer, archive);
  reported = [];
  restarts = 0;
  isQuiet = Promise.withResolvers();
});
afterEach(() => rmSync(folder, { recursive: true }));

const updater = (change: Partial<UpdaterParts> = {}): Updater => {
  const made = new Updater({
    files,
    keysFolder: folder,
    program: 'controller',
    arch: 'arm64',
    version: '1.0.0',
    packageVersion: '1.0.0',
    release: '',
    log: () => undefined,
    way: () => null,
    quiet: (_, signal) =>
      Promise.race([
        isQuiet.promise,
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('no longer wanted')));
        }),
      ]),
    health: () => ({ online: true, faults: ['reader:front'] }),
    restart: () => {
      restarts++;
    },
    ...change,
  });
  made.onReport(() => reported.push(`${made.report()?.rollout_id} ${made.report()?.state}`));
  return made;
};

const order = (change: Partial<Update> = {}): Update => ({
  v: 1,
  rollout_id: 'rol_1' as Update['rollout_id'],
  action: 'install',
  release: {
    version: '1.1.0',
    sha256: createHash('sha256').update(readFileSync(archive)).digest('hex'),
    size: statSync(archive).size,
  },
  path: '/x',
  token: 'x'.repeat(22),
  rate: 1024,
  switch_within_s: 60,
  ...change,
});
const another = { rollout_id: 'rol_2' as Update['rollout_id'] };

/** As if the download had just finished. */
const isHere = (): void => copyFileSync(archive, join(files.incoming, `${order().release.sha256}.part`));
const until = async (state: string): Promise<void> => {
  await expect.poll(() => reported.at(-1)).toBe(state);
};

describe('Updater', () => {
  describe('update order', () => {
    it('ends in a pending release and a restart at a quiet moment, with the health before it', async () => {
      isHere();
      const one = updater();
      one.ordered(order());
      await until('rol_1 ready');
      expect([restarts, files.pending()]).toMatchObject([0, { version: '1.1.0', rollout_id: 'rol_1', before: null }]);
      isQuiet.resolve();
      await until('rol_1 switched');
      expect(restarts).toBe(1);
      expect(files.pending()?.before).toEqual({ online: true, faults: ['reader:front'] });
      expect(existsSync(join(files.incoming, `${order().release.sha256}.part`))).toBe(false);
    });

    it('that is repeated reports its progress, and starts once', async () => {
      const one = updater();
      one.ordered(order());
      one.ordered(order());
      expect(reported).toEqual(['rol_1 downloading', 'rol_1 downloading']);
      one.stop();
    });

    it('can be canceled until the switch', async () => {
      isHere();
      const one = updater();
      one.ordered(order());
      await until('rol_1 ready');
      one.ordered(order({ action: 'cancel' }));
      expect([reported.at(-1), files.pending()]).toEqual(['rol_1 cancelled', null]);
      isQuiet.resolve();
      await Promise.resolve();
      expect(restarts).toBe(0);
    });

    it('removes the download when it is canceled, and the cancellation survives a restart', async () => {
      const part = join(files.incoming, `${order().release.sha256}.part`);
      const one = updater();
      writeFileSync(part, 'half');
      one.ordered(order());
      one.stop();
      const later = updater();
      later.ordered(order());
      expect(existsSync(part)).toBe(true);
      later.ordered(order({ action: 'cancel' }));
      await expect.poll(() => existsSync(part)).toBe(false);
      writeFileSync(part, 'half');
      updater().ordered(order({ action: 'cancel' }));
      await expect.poll(() => existsSync(part)).toBe(false);
    });

    it('to an older version is rejected even if the version file is damaged, and that is logged', async () => {
      isHere();
      const logged: string[] = [];
      files.write({ ...emptySlots, good: { release: '1.2.0-x', version: '1.2.0' } });
      writeFileSync(join(files.folder, 'slots.json'), '{"v":1,');
      updater({ log: (_, message) => logged.push(message) }).ordered(order());
      await until('rol_1 failed');
      expect(logged).toEqual(['the state of the updates is damaged', 'the update is refused']);
    });

    it('is not disturbed by the end of an earlier one', async () => {
      const one = updater();
      one.ordered(order());
      one.ordered(order({ ...another, action: 'cancel' }));
      expect(reported).toEqual(['rol_1 downloading']);
      one.stop();
      const idle = updater();
      idle.ordered(order({ ...another, action: 'cancel' }));
      expect(reported.at(-1)).toBe('rol_2 cancelled');
    });

    it('replaces an earlier one that is still in progress', async () => {
      const one = updater();
      one.ordered(order());
      isHere();
      one.ordered(order(another));
      await until('rol_2 ready');
      expect(files.pending()?.rollout_id).toBe('rol_2');
      one.stop();
    });

    it('for the running version is done', () => {
      const { version, sha256 } = order().release;
      updater({ version, release: `${version}-${sha256.slice(0, 16)}` }).ordered(order());
      expect(reported).toEqual(['rol_1 confirmed']);
    });

    it('that must not be followed is answered with the reason and not kept', async () => {
      isHere();
      const one = updater({ packageVersion: '2.0.0', version: '2.0.0' });
      one.ordered(order());
      await until('rol_1 failed');
      expect(one.report()?.reason).toMatch(/^downgrade: 1\.1\.0 is older than 2\.0\.0/);
      expect([files.pending(), existsSync(join(files.incoming, `${order().release.sha256}.part`))]).toEqual([
        null,
        false,
      ]);
    });

    it('is remembered over the restart that it causes', () => {
      const pending = { id: 'a', release: '1.1.0-x', version: '1.1.0', rollout_id: 'rol_1', before: null };
      files.write({ ...emptySlots, candidate: { ...pending, attempts: 1 } });
      expect(updater().report()).toMatchObject({ rollout_id: 'rol_1', state: 'switched' });
      const { before: _, ...last } = pending;
      files.write({ ...emptySlots, last: { ...last, result: 'rolled_back', reason: 'late: x', is_logged: true } });
      expect(updater().report()).toMatchObject({ state: 'rolled_back', reason: 'late: x', running: '1.0.0' });
    });
  });

  it('restarts at a quiet moment for a release that another process has made pending', async () => {
    const one = updater();
    one.lookForWish();
    files.wish({ id: 'a', release: '1.1.0-x', version: '1.1.0', rollout_id: null, before: null });
    one.lookForWish();
    isQuiet.resolve();
    await expect.poll(() => restarts).toBe(1);
  });
});
