import { join } from 'node:path';
import { DigestKeyFile } from '@lintel/device-runtime/credentials/digest-key-file';
import { readFirmwareVersion } from '../../../device-runtime/src/firmware-version.ts';
import { ActiveSnapshot } from '../../../device-runtime/src/snapshot/active-snapshot.ts';
import { SqliteSnapshotStore } from '../../../device-runtime/src/snapshot/store/sqlite-snapshot-store.ts';
import { DataAuthenticator } from '../../../device-runtime/src/state/data-authenticator.ts';

/** Saves the member index of a data folder, as a controller does a while after its start. */
export const saveMemberIndex = async (folder: string): Promise<void> => {
  const digestKey = new DigestKeyFile(join(folder, 'digest.key')).read();
  const store = new SqliteSnapshotStore(join(folder, 'slice.db'), new DataAuthenticator(digestKey), {
    programVersion: readFirmwareVersion(),
  });
  const snapshot = new ActiveSnapshot();
  const isSaved =
    store.load(entry => snapshot.put(entry)) &&
    (await store.saveMemberIndex(snapshot.index.memberCount, snapshot.index.exportMembers()));
  store.close();
  if (!isSaved) throw new Error('The member index was not saved');
};
