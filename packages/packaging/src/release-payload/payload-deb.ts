import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { PayloadFile } from '@lintel/updates/release-files/write-release';
import { extract } from 'tar-stream';
import { RELEASE_FILE } from '@lintel/updates/slot-files';

const MAGIC = '!<arch>\n';
const HEADER = 60;

/** The members of an `ar` archive, which a Debian package is. */
const membersOf = (bytes: Buffer): Map<string, Buffer> => {
  if (bytes.subarray(0, MAGIC.length).toString('latin1') !== MAGIC) throw new Error('it is no Debian package');
  const members = new Map<string, Buffer>();
  for (let at = MAGIC.length; at + HEADER <= bytes.length; ) {
    const header = bytes.subarray(at, at + HEADER).toString('latin1');
    const size = Number(header.slice(48, 58));
    if (!Number.isSafeInteger(size)) throw new Error('it is a damaged Debian package');
    members.set(header.slice(0, 16).trim().replace(/\/$/, ''), bytes.subarray(at + HEADER, at + HEADER + size));
    at += HEADER + size + (size % 2);
  }
  return members;
};

const dataOf = (members: ReadonlyMap<string, Buffer>): Buffer => {
  const unpack: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
    'data.tar': bytes => bytes,
    'data.tar.gz': bytes => gunzipSync(bytes),
    'data.tar.zst': bytes => zstdDecompressSync(bytes),
  };
  for (const [name, read] of Object.entries(unpack)) {
    const bytes = members.get(name);
    if (bytes !== undefined) return read(bytes);
  }
  throw new Error('its files are compressed in a way that is not known here');
};

interface Packed {
  readonly path: string;
  readonly isExecutable: boolean;
  readonly bytes: Buffer;
}

const plainName = (name: string): string => name.replace(/^\.?\//, '');

const filesIn = async (tar: Buffer): Promise<Packed[]> => {
  const files: Packed[] = [];
  const reader = Readable.from([tar]).pipe(extract());
  for await (const entry of reader) {
    const { name, type, mode } = entry.header;
    const pieces: Buffer[] = [];
    for await (const piece of entry as AsyncIterable<Buffer>) pieces.push(piece);
    if (type === 'file')
      files.push({ path: plainName(name), isExecutable: (mode & 0o111) !== 0, bytes: Buffer.concat(pieces) });
  }
  return files;
};

export interface PackedProgram {
  readonly files: readonly PayloadFile[];
  /** What its `release.json` says. */
  readonly facts: unknown;
}

/** The program of a package: the folder of it that has a `release.json`. */
export const payloadDeb = async (file: string): Promise<PackedProgram> => {
  const packed = await filesIn(dataOf(membersOf(readFileSync(file))));
  const named = packed.filter(({ path }) => path.endsWith(`/${RELEASE_FILE}`));
  const [only] = named;
  if (only === undefined || named.length > 1) throw new Error(`it must have one ${RELEASE_FILE} beside its program`);
  const folder = only.path.slice(0, -RELEASE_FILE.length);
  return {
    facts: JSON.parse(only.bytes.toString('utf8')) as unknown,
    files: packed
      .filter(one => one.path.startsWith(folder) && one !== only)
      .map(({ path, isExecutable, bytes }) => ({ path: path.slice(folder.length), isExecutable, read: () => bytes })),
  };
};
