/** Key files are missing, unreadable or do not belong to the database. The message tells the operator what to do. */
export class KeyMaterialError extends Error {
  override readonly name: string = 'KeyMaterialError';
}

/** A value is sealed under a key version that the key file does not contain. */
export class MissingMasterKeyError extends KeyMaterialError {
  override readonly name = 'MissingMasterKeyError';
}
