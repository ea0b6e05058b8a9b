import { ActiveSnapshot } from '../snapshot/active-snapshot.ts';
import { SqliteSnapshotStore, type SnapshotStoreOptions } from '../snapshot/store/sqlite-snapshot-store.ts';
import type { DataAuthenticator } from '../state/data-authenticator.ts';

export interface LoadedSnapshotStore {
  readonly store: SqliteSnapshotStore;
  readonly snapshot: ActiveSnapshot;
  readonly isFromMemberIndex: boolean;
  readonly isIntact: boolean;
}

/** Opens a store that saves its member index from the first member on, and loads it as a controller does. */
export const loadSnapshotStore = (
  file: string,
  authenticator: DataAuthenticator,
  options: SnapshotStoreOptions = {},
): LoadedSnapshotStore => {
  const store = new SqliteSnapshotStore(file, authenticator, { fewestIndexedMembers: 1, ...options });
  const saved = new ActiveSnapshot();
  if (store.loadMemberIndex(saved)) return { store, snapshot: saved, isFromMemberIndex: true, isIntact: true };
  const snapshot = new ActiveSnapshot();
  const isIntact = store.load(entry => snapshot.put(entry));
  return { store, snapshot, isFromMemberIndex: false, isIntact };
};

export const saveMemberIndex = ({ store, snapshot: { index } }: LoadedSnapshotStore): Promise<boolean> =>
  store.saveMemberIndex(index.memberCount, index.exportMembers());
