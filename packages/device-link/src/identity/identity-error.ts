/** Something of the device's identity is not readable or not its own: the message names the file. The door serves on. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
}
