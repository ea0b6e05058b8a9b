import { join } from 'node:path';
import { JsonFileStore } from '@lintel/service/data-folder/json-file-store';
import { SnapshotDigest } from '@lintel/wire-protocol/mqtt/snapshot-digest';
import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { DeviceCredentialDigester } from '../credentials/credential-digests.ts';
import { DigestKeyFile } from '../credentials/digest-key-file.ts';
import { RevocationLog } from '../credentials/revocation-log.ts';
import { readSavedEventNumbering } from '../events/event-sequence-allocator.ts';
import { EventStore } from '../events/event-store.ts';
import { LastNumberFile } from '../events/last-number-file.ts';
import { readFirmwareVersion } from '../firmware-version.ts';
import { ActiveSnapshot } from '../snapshot/active-snapshot.ts';
import { SnapshotTable } from '../snapshot/store/snapshot-table.ts';
import { SqliteSnapshotStore } from '../snapshot/store/sqlite-snapshot-store.ts';
import type { ControllerStateKey } from '../state/controller-state-keys.ts';
import { DataAuthenticator } from '../state/data-authenticator.ts';

const readDigestKey = (folder: string): Uint8Array => new DigestKeyFile(join(folder, 'digest.key')).read();

/** Writes the snapshot as a controller with this data folder caches it. */
export const writeSnapshot = (folder: string, entries: Iterable<SnapshotEntry>): void => {
  const digestKey = readDigestKey(folder);
  const digest_key_id = new DeviceCredentialDigester(digestKey).keyId;
  const authenticator = new DataAuthenticator(digestKey);
  const table = new SnapshotTable(join(folder, 'slice.db'), authenticator);
  const digest = new SnapshotDigest();
  table.begin();
  for (const entry of entries) digest.add(table.put(entry).now);
  table.commit({ revision: 1, digest: digest.toString(), digest_key_id });
  table.close();
  new RevocationLog(new JsonFileStore(join(folder, 'state')), authenticator).snapshotApplied(1);
};

/** Saves the member index of a data folder, as a controller does a while after its start. */
export const saveMemberIndexOf = async (folder: string): Promise<void> => {
  const store = new SqliteSnapshotStore(join(folder, 'slice.db'), new DataAuthenticator(readDigestKey(folder)), {
    programVersion: readFirmwareVersion(),
  });
  const snapshot = new ActiveSnapshot();
  const isSaved =
    store.load(entry => snapshot.put(entry)) &&
    (await store.saveMemberIndex(snapshot.index.memberCount, snapshot.index.exportMembers()));
  store.close();
  if (!isSaved) throw new Error('The member index was not saved');
};

/** Opens the events of a data folder, as the next start of its controller does. */
export const openEventStore = (folder: string): EventStore => {
  const state = new JsonFileStore<ControllerStateKey>(join(folder, 'state'), { inPlace: ['sequence_ceiling'] });
  const lastNumber = new LastNumberFile(join(folder, 'last-event-number'));
  return new EventStore({
    file: join(folder, 'events.db'),
    savedNumbering: () => readSavedEventNumbering(state, lastNumber),
  });
};
