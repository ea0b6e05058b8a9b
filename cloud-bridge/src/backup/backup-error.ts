/** A backup or an export cannot be created or read. The message says why and what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
