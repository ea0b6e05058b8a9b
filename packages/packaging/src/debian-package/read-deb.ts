import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { extract } from 'tar-stream';

const MAGIC = '!<arch>\n';
const HEADER = 60;

/** What a package says of itself. */
export interface DebFacts {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
}

interface Member {
  readonly name: string;
  readonly at: number;
  readonly size: number;
}

const bytesAt = (handle: number, at: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  return bytes.subarray(0, readSync(handle, bytes, 0, size, at));
};

/** Where each member lies; the large one is not read for that. Throws unless all of them are whole. */
const membersOf = (handle: number): Member[] => {
  const length = fstatSync(handle).size;
  if (bytesAt(handle, 0, MAGIC.length).toString('latin1') !== MAGIC) throw new Error('is no Debian package');
  const members: Member[] = [];
  for (let at = MAGIC.length; at < length; ) {
    const header = bytesAt(handle, at, HEADER).toString('latin1');
    if (header.length < HEADER) throw new Error('was cut off: copy or build it again');
    const size = header.slice(48, 58).trim();
    if (!header.endsWith('`\n') || !/^\d+$/.test(size)) throw new Error('is a damaged Debian package');
    const member = { name: header.slice(0, 16).trim().replace(/\/$/, ''), at: at + HEADER, size: Number(size) };
    if (member.at + member.size > length) throw new Error('was cut off: copy or build it again');
    members.push(member);
    at = member.at + member.size + (member.size % 2);
  }
  if (members[0]?.name !== 'debian-binary') throw new Error('is no Debian package');
  if (!members.some(({ name }) => name.startsWith('data.tar'))) throw new Error('was cut off: copy or build it again');
  return members;
};

const unpackers: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'control.tar': bytes => bytes,
  'control.tar.gz': bytes => gunzipSync(bytes),
  'control.tar.zst': bytes => zstdDecompressSync(bytes),
};

const controlIn = async (tar: Buffer): Promise<string> => {
  for await (const entry of Readable.from([tar]).pipe(extract())) {
    if (/^(?:\.\/)?control$/.test(entry.header.name)) return text(entry);
    entry.resume();
  }
  throw new Error('it has no file control');
};

const factsIn = (control: string): DebFacts => {
  const field = (name: string): string => {
    const value = new RegExp(`^${name}:[ \\t]*(\\S+)`, 'm').exec(control)?.[1];
    if (value === undefined) throw new Error(`its control has no ${name}`);
    return value;
  };
  return { name: field('Package'), version: field('Version'), architecture: field('Architecture') };
};

const readFrom = async (handle: number): Promise<DebFacts | null> => {
  const members = membersOf(handle);
  const control = members.find(({ name }) => name.startsWith('control.tar'));
  if (control === undefined) throw new Error('is a damaged Debian package');
  const unpack = unpackers[control.name];
  if (unpack === undefined) return null;
  try {
    return factsIn(await controlIn(unpack(bytesAt(handle, control.at, control.size))));
  } catch (error) {
    throw new Error(`is a damaged Debian package: ${(error as Error).message}`, { cause: error });
  }
};

const opened = (file: string): number => {
  try {
    return openSync(file, 'r');
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
};

/**
 * Throws, with the file's name, unless it is a whole package. Null where its facts are compressed by xz, which Node does
 * not read: Debian's own packages are, ours are not.
 */
export const readDeb = async (file: string): Promise<DebFacts | null> => {
  const handle = opened(file);
  try {
    return await readFrom(handle);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${file} ${code === undefined ? message : `cannot be read: ${message}`}`, { cause: error });
  } finally {
    closeSync(handle);
  }
};
