/** The key cannot be had: the chip does not answer, the file is damaged or readable by others. */
export class DigestKeyError extends Error {
  override readonly name = 'DigestKeyError';
}

/** Where the key of PIN and card digests comes from: a TPM, a secure element, the SoC's fuses, or a file. */
export interface DigestKeySource {
  /** Says in the support pages whether a stolen disk reveals PINs. */
  readonly keptIn: 'hardware' | 'file';
  /** 32 bytes, the same at every start. Throws DigestKeyError. */
  read(): Uint8Array;
}
