/** The chip does not respond, or the file is damaged or readable by others. */
export class DigestKeyError extends Error {
  override readonly name = 'DigestKeyError';
}

/** Source of the key for PIN and card digests: a TPM, a secure element, the SoC's fuses, or a file. */
export interface DigestKeySource {
  /** `file`: a stolen disk reveals PINs. */
  readonly storage: 'hardware' | 'file';
  /** 32 bytes, the same at every start. Throws DigestKeyError. */
  read(): Uint8Array;
}
