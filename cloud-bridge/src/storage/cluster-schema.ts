/** A key file, sealed by the cluster secret. */
interface SharedKeyFileRow {
  name: string;
  sealed: string;
  changed_at: number;
}

/** A part of a release archive or of an unfinished upload. */
interface SharedFileChunkRow {
  name: string;
  /** Offset of the bytes in the file. */
  position: number;
  bytes: Buffer;
  created_at: number;
}

/** Attempts of one account, network or browser. */
interface AttemptsRow {
  /** Hash. */
  key: string;
  count: number;
  last_at: number;
  blocked_until: number;
}

/** Uses of a quota. */
interface QuotaCountRow {
  /** Hash. */
  key: string;
  started_at: number;
  count: number;
}

/** Requests of one client at all bridges. */
interface RequestCountRow {
  key: string;
  total: number;
  changed_at: number;
}

export interface ClusterTables {
  attempts: AttemptsRow;
  quota_counts: QuotaCountRow;
  request_counts: RequestCountRow;
  shared_key_files: SharedKeyFileRow;
  shared_file_chunks: SharedFileChunkRow;
}
