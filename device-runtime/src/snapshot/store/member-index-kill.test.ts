import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';
import { cardUidSchema } from '@lintel/wire-protocol/rest/card-uid';
import { testCredentialDigester, testDataAuthenticator } from '../../testing/door-harness.ts';
import { loadSnapshotStore } from '../../testing/load-snapshot-store.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-member-index-'));
  file = join(folder, 'slice.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the saved member index', () => {
  it('is correct or not used after the process was killed at any time', async () => {
    const module = (path: string): string => JSON.stringify(join(import.meta.dirname, path));
    // Changes member 1 and saves the index, again and again.
    const script = `
      import { testCredentialDigester, testDataAuthenticator } from ${module('../../testing/door-harness.ts')};
      import { loadSnapshotStore, saveMemberIndex } from ${module('../../testing/load-snapshot-store.ts')};
      import { createMemberEntry, createSnapshotChunk } from ${module('../../testing/snapshot-entries.ts')};
      const loaded = loadSnapshotStore(${JSON.stringify(file)}, testDataAuthenticator);
      if (loaded.isFromMemberIndex) await loaded.store.verifyInBackground();
      const card = number => '04' + String(number).padStart(6, '0');
      const member = (number, uid) => createMemberEntry(testCredentialDigester, 'mem_' + number, { cards: [uid] });
      const others = Array.from({ length: 40 }, (_, number) => member(number + 2, card(number)));
      for (let revision = (loaded.store.held()?.revision ?? 0) + 1; ; revision++) {
        const received = await loaded.store.receive(
          createSnapshotChunk([member(1, card(1000 + revision)), ...others], revision, 'k'),
        );
        loaded.snapshot.apply(received.changes);
        await saveMemberIndex(loaded);
        console.log(revision);
      }`;
    const count = iterations({ sample: 2, all: 8 });
    for (let kill = 0; kill < count; kill++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let saved = 0;
      const killed = once(child, 'exit');
      child.stdout.on('data', () => {
        saved += 1;
        if (saved === 3 + (kill % 6)) child.kill('SIGKILL');
      });
      await killed;
      const { store, snapshot, isIntact } = loadSnapshotStore(file, testDataAuthenticator);
      const uid = cardUidSchema.parse(`04${String(1_000 + store.held()!.revision).padStart(6, '0')}`);
      expect([isIntact, snapshot.index.memberCount]).toEqual([true, 41]);
      expect(snapshot.index.findCard(testCredentialDigester.card(uid))?.member_id).toBe('mem_1');
      store.close();
    }
  });
});
