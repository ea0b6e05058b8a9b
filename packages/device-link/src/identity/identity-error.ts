/** A file of the device's identity is unreadable or invalid. The message names the file. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
}
