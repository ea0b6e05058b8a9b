import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { generateReleasePrivateKey, createReleaseSigner } from './release-files/release-keys.ts';
import { writeRelease } from './release-files/write-release.ts';
import type { UpdateMqttMessage } from '@lintel/wire-protocol/mqtt/messages/update';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyUpdateSlots } from './update-slot-state.ts';
import { ReleasesFolder } from './releases-folder.ts';
import { ReleaseUpdater, type ReleaseUpdaterDependencies } from './release-updater.ts';

const signer = createReleaseSigner(generateReleasePrivateKey());

let folder: string;
let files: ReleasesFolder;
let archive: string;
let reported: string[];
let restarts: number;
let idle: PromiseWithResolvers<void>;
let faults: readonly string[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-updater-'));
  writeFileSync(join(folder, 'a.pub'), signer.publicPem);
  files = new ReleasesFolder(join(folder, 'releases'));
  archive = join(folder, 'a.release');
  const start = { path: 'start', isExecutable: true, read: () => Buffer.from('#!/bin/sh\n') };
  const plan = { program: 'controller', version: '1.1.0', arch: 'all', entry: 'start', minimum_version: null } as const;
  await writeRelease({ ...plan, allow_downgrade: false, createdAt: instant(0), files: [start] }, signer, archive);
  reported = [];
  restarts = 0;
  faults = ['reader:front'];
  idle = Promise.withResolvers();
});
afterEach(() => rmSync(folder, { recursive: true }));

const startUpdater = (change: Partial<ReleaseUpdaterDependencies> = {}): ReleaseUpdater => {
  const updater = new ReleaseUpdater({
    files,
    keysFolder: folder,
    program: 'controller',
    arch: 'arm64',
    version: '1.0.0',
    packageVersion: '1.0.0',
    release: '',
    log: () => undefined,
    bridgeAccess: () => null,
    waitUntilIdle: (_, signal) =>
      Promise.race([
        idle.promise,
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('Aborted')));
        }),
      ]),
    health: () => ({ online: true, faults }),
    restart: () => {
      restarts++;
    },
    ...change,
  });
  updater.onReport(() => reported.push(`${updater.report()?.rollout_id} ${updater.report()?.state}`));
  return updater;
};

const updateMessage = (change: Partial<UpdateMqttMessage> = {}): UpdateMqttMessage => ({
  v: 1,
  rollout_id: 'rol_1' as UpdateMqttMessage['rollout_id'],
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
const another = { rollout_id: 'rol_2' as UpdateMqttMessage['rollout_id'] };

/** As if the download had just finished. */
const finishDownload = (): void =>
  copyFileSync(archive, join(files.incoming, `${updateMessage().release.sha256}.part`));
const waitForReport = async (state: string): Promise<void> => {
  await expect.poll(() => reported.at(-1)).toBe(state);
};

describe('Updater', () => {
  describe('update message', () => {
    it('ends in a pending release and a restart when the program is idle, with the health before it', async () => {
      finishDownload();
      const updater = startUpdater();
      updater.handle(updateMessage());
      await waitForReport('rol_1 ready');
      const before = { online: true, faults };
      expect([restarts, files.pending()]).toMatchObject([0, { version: '1.1.0', rollout_id: 'rol_1', before }]);
      faults = [];
      idle.resolve();
      await waitForReport('rol_1 switched');
      expect(restarts).toBe(1);
      expect(files.pending()?.before).toEqual({ online: true, faults: [] });
      expect(existsSync(join(files.incoming, `${updateMessage().release.sha256}.part`))).toBe(false);
    });

    it('that is repeated reports its progress, and starts once', async () => {
      const updater = startUpdater();
      updater.handle(updateMessage());
      updater.handle(updateMessage());
      expect(reported).toEqual(['rol_1 downloading', 'rol_1 downloading']);
      updater.stop();
    });

    it('can be canceled until the switch', async () => {
      finishDownload();
      const updater = startUpdater();
      updater.handle(updateMessage());
      await waitForReport('rol_1 ready');
      updater.handle(updateMessage({ action: 'cancel' }));
      expect([reported.at(-1), files.pending()]).toEqual(['rol_1 cancelled', null]);
      idle.resolve();
      await Promise.resolve();
      expect(restarts).toBe(0);
    });

    it('removes the download when it is canceled, and the cancellation survives a restart', async () => {
      const part = join(files.incoming, `${updateMessage().release.sha256}.part`);
      const updater = startUpdater();
      writeFileSync(part, 'half');
      updater.handle(updateMessage());
      updater.stop();
      const later = startUpdater();
      later.handle(updateMessage());
      expect(existsSync(part)).toBe(true);
      later.handle(updateMessage({ action: 'cancel' }));
      await expect.poll(() => existsSync(part)).toBe(false);
      writeFileSync(part, 'half');
      startUpdater().handle(updateMessage({ action: 'cancel' }));
      await expect.poll(() => existsSync(part)).toBe(false);
    });

    it('to an older version is rejected even if the version file is damaged, and that is logged', async () => {
      finishDownload();
      const logged: string[] = [];
      files.write({ ...emptyUpdateSlots, good: { release: '1.2.0-x', version: '1.2.0' } });
      writeFileSync(join(files.folder, 'slots.json'), '{"v":1,');
      startUpdater({ log: (_, message) => logged.push(message) }).handle(updateMessage());
      await waitForReport('rol_1 failed');
      expect(logged).toEqual(['The update state is damaged', 'The update failed']);
    });

    it('is not disturbed by the end of an earlier one', async () => {
      const updater = startUpdater();
      updater.handle(updateMessage());
      updater.handle(updateMessage({ ...another, action: 'cancel' }));
      expect(reported).toEqual(['rol_1 downloading']);
      updater.stop();
      const idle = startUpdater();
      idle.handle(updateMessage({ ...another, action: 'cancel' }));
      expect(reported.at(-1)).toBe('rol_2 cancelled');
    });

    it('replaces an earlier one that is still in progress', async () => {
      const updater = startUpdater();
      updater.handle(updateMessage());
      finishDownload();
      updater.handle(updateMessage(another));
      await waitForReport('rol_2 ready');
      expect(files.pending()?.rollout_id).toBe('rol_2');
      updater.stop();
    });

    it('for the running version is done', () => {
      const { version, sha256 } = updateMessage().release;
      startUpdater({ version, release: `${version}-${sha256.slice(0, 16)}` }).handle(updateMessage());
      expect(reported).toEqual(['rol_1 confirmed']);
    });

    it('that is not allowed is answered with the reason and deleted', async () => {
      finishDownload();
      const updater = startUpdater({ packageVersion: '2.0.0', version: '2.0.0' });
      updater.handle(updateMessage());
      await waitForReport('rol_1 failed');
      expect(updater.report()?.reason).toMatch(/^downgrade: 1\.1\.0 is older than 2\.0\.0/);
      expect([files.pending(), existsSync(join(files.incoming, `${updateMessage().release.sha256}.part`))]).toEqual([
        null,
        false,
      ]);
    });

    it('is remembered over the restart that it causes', () => {
      const pending = { id: 'a', release: '1.1.0-x', version: '1.1.0', rollout_id: 'rol_1', before: null };
      files.write({ ...emptyUpdateSlots, candidate: { ...pending, attempts: 1 } });
      expect(startUpdater().report()).toMatchObject({ rollout_id: 'rol_1', state: 'switched' });
      const { before: _, ...last } = pending;
      files.write({
        ...emptyUpdateSlots,
        last: { ...last, result: 'rolled_back', reason: 'late: x', is_logged: true },
      });
      expect(startUpdater().report()).toMatchObject({ state: 'rolled_back', reason: 'late: x', running: '1.0.0' });
    });
  });

  it('restarts when the program is idle for a release that another process has made pending', async () => {
    const updater = startUpdater();
    updater.checkPending();
    files.setPending({ id: 'a', release: '1.1.0-x', version: '1.1.0', rollout_id: null, before: null });
    updater.checkPending();
    idle.resolve();
    await expect.poll(() => restarts).toBe(1);
  });
});
