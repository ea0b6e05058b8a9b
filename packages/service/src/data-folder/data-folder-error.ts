/** The folder belongs to another kind of program or user, or is in use. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}
