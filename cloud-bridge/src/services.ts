import type { Id, IdKind } from '@lintel/access-core/ids';
import type { Instant } from '@lintel/access-core/instant';
import type { Reader } from './queries/reader.ts';
import type { MasterKeys } from './secrets/master-key.ts';
import type { Storage } from './storage/open-storage.ts';
import type { Writer } from './transactions/writer.ts';

/** What the routes are built from. Only main builds it. */
export interface Services {
  readonly storage: Storage;
  readonly reader: Reader;
  readonly writer: Writer;
  readonly masterKeys: MasterKeys;
  readonly clock: () => Instant;
  readonly newId: <K extends IdKind>(kind: K) => Id<K>;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  /** What controllers pin when they are claimed; null while the bridge itself serves no TLS. */
  readonly caFingerprint: string | null;
}
