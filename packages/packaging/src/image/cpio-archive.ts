/** One entry of the archive that the kernel unpacks as its first file system. */
export interface CpioEntry {
  readonly path: string;
  /** With the type: `0o100755`, `0o040755`, `0o120777`. */
  readonly mode: number;
  /** A link's content is where it points. */
  readonly content: Uint8Array;
  /** Major and minor number of a device. */
  readonly device?: readonly [number, number];
}

const pad4 = (length: number): Buffer => Buffer.alloc((4 - (length % 4)) % 4);

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0');

const entryBytes = ({ path, mode, content, device = [0, 0] }: CpioEntry, inode: number, time: number): Buffer => {
  const name = Buffer.from(`${path}\0`);
  const fields = [inode, mode, 0, 0, 1, time, content.length, 0, 0, device[0], device[1], name.length, 0];
  const head = Buffer.concat([Buffer.from(`070701${fields.map(field => hex(field)).join('')}`), name]);
  return Buffer.concat([head, pad4(head.length), content, pad4(content.length)]);
};

/** In the "newc" format; everything is root's. The order of entries is kept: folders before what is in them. */
export const cpioArchive = (entries: readonly CpioEntry[], time: number): Buffer => {
  const end: CpioEntry = { path: 'TRAILER!!!', mode: 0, content: new Uint8Array() };
  const parts = entries.map((entry, index) => entryBytes(entry, index + 1, time));
  return Buffer.concat([...parts, entryBytes(end, 0, 0)]);
};
