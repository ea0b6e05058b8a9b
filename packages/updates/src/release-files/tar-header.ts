/** A tar file consists of blocks: a header, the bytes of the file, padding. Two empty blocks end it. */
export const TAR_BLOCK_BYTES = 512;

const NAME = 100;
const PREFIX = 155;
const CHECKSUM_AT = 148;
const MAGIC_AT = 257;

export interface TarEntry {
  readonly name: string;
  readonly size: number;
}

export const countTarPaddingBytes = (size: number): number =>
  (TAR_BLOCK_BYTES - (size % TAR_BLOCK_BYTES)) % TAR_BLOCK_BYTES;

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;

/** Names of more than 100 bytes are split at a slash. */
const splitName = (name: string): { readonly prefix: string; readonly rest: string } => {
  if (Buffer.byteLength(name) <= NAME) return { prefix: '', rest: name };
  for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)];
    if (Buffer.byteLength(prefix) <= PREFIX && Buffer.byteLength(rest) <= NAME) return { prefix, rest };
  }
  throw new RangeError(`The name is too long for an archive: ${name}`);
};

/** The sum of all bytes, with spaces in place of the checksum. */
const checksumOf = (header: Buffer): number => {
  let sum = 8 * 0x20;
  for (const [at, byte] of header.entries()) if (at < CHECKSUM_AT || at >= CHECKSUM_AT + 8) sum += byte;
  return sum;
};

/** For a regular file of root without a time, so that the same files give the same archive. */
export const createTarHeader = ({ name, size }: TarEntry): Buffer => {
  const { prefix, rest } = splitName(name);
  const header = Buffer.alloc(TAR_BLOCK_BYTES);
  header.write(rest, 0);
  header.write(octal(0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(0, 12), 136);
  header.write('0', 156);
  header.write('ustar\x0000', MAGIC_AT);
  header.write(prefix, 345);
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, CHECKSUM_AT);
  return header;
};

export const createTarEnd = (): Buffer => Buffer.alloc(2 * TAR_BLOCK_BYTES);

const textAt = (header: Buffer, at: number, length: number): string => {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.subarray(0, end === -1 ? length : end).toString('utf8');
};

const numberAt = (header: Buffer, at: number, length: number): number | null => {
  const text = textAt(header, at, length).trim();
  return /^[0-7]{1,11}$/.test(text) ? Number.parseInt(text, 8) : null;
};

export const isEmptyTarBlock = (block: Buffer): boolean => block.every(byte => byte === 0);

/** Null for anything but a regular file. */
export const readTarHeader = (header: Buffer): TarEntry | null => {
  const size = numberAt(header, 124, 12);
  const type = String.fromCharCode(header[156] ?? 0);
  const isChecksumValid = numberAt(header, CHECKSUM_AT, 8) === checksumOf(header);
  if (!isChecksumValid || size === null || (type !== '0' && type !== '\0')) return null;
  const prefix = textAt(header, MAGIC_AT, 5) === 'ustar' ? textAt(header, 345, PREFIX) : '';
  const rest = textAt(header, 0, NAME);
  return { name: prefix === '' ? rest : `${prefix}/${rest}`, size };
};
