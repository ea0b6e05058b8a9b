import { createSecretKey } from 'node:crypto';
import { z } from 'zod';
import { type ArchiveFormat, archivedFilesSchema, parseArchiveManifest } from '../backup/archive-manifest.ts';
import type { SealingKeys } from '../secrets/sealing.ts';
import { transferredTables } from './transferred-tables.ts';

export const buildTransferTablePath = (table: string): string => `tables/${table}.jsonl`;

const tablePaths: ReadonlySet<string> = new Set(transferredTables.map(([table]) => buildTransferTablePath(table)));

const manifest = z.object({
  format: z.literal('lintel-organization'),
  version: z.literal(1),
  created_at: z.iso.datetime(),
  organization: z.object({ id: z.string(), name: z.string() }),
  has_events: z.boolean(),
  /** Names of the migrations of the database, which determine the columns. */
  migrations: z.array(z.string()),
  /** Seals the secrets in the files, so that no file outside the archive contains a secret. 32 bytes in base64. */
  sealing_key: z.base64(),
  /** Check values of the master keys by version, and the fingerprint of the certificate authority. */
  master_key_checks: z.record(z.string(), z.string()),
  authority_fingerprint: z.string().nullable(),
  files: archivedFilesSchema(path => tablePaths.has(path)),
});

export type OrganizationTransferManifest = z.infer<typeof manifest>;

const description = { name: 'an export of an organization', advice: 'Export the organization again.' };

/** The first entry is the manifest. The others contain the rows of one table each, as lines of JSON. */
export const organizationTransferFormat: ArchiveFormat<OrganizationTransferManifest> = {
  ...description,
  maxExpansion: 200,
  parseManifest: text => parseArchiveManifest(manifest, text, description),
};

export type TransferredRow = Record<string, string | number | null>;

export const toSealingKeys = (key: Buffer): SealingKeys => ({ version: 0, sealing: createSecretKey(key) });
