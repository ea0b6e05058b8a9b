import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { extract } from 'tar-stream';

const MAGIC = '!<arch>\n';
const HEADER = 60;
const TRUNCATED = 'was cut off: copy or build it again';
const DAMAGED = 'is a damaged Debian package';

/** Fields of the control file. */
export interface DebControlFields {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly depends: string;
}

interface DebFile {
  readonly path: string;
  readonly isExecutable: boolean;
  readonly bytes: Buffer;
}

/** The members of the `ar` archive. Throws unless all of them are complete. */
const membersOf = (bytes: Buffer): ReadonlyMap<string, Buffer> => {
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error('is not a Debian package');
  const members = new Map<string, Buffer>();
  for (let at = MAGIC.length; at < bytes.length; ) {
    const header = bytes.toString('latin1', at, at + HEADER);
    if (header.length < HEADER) throw new Error(TRUNCATED);
    const size = header.slice(48, 58).trim();
    if (!header.endsWith('`\n') || !/^\d+$/.test(size)) throw new Error(DAMAGED);
    const end = at + HEADER + Number(size);
    if (end > bytes.length) throw new Error(TRUNCATED);
    members.set(header.slice(0, 16).trim().replace(/\/$/, ''), bytes.subarray(at + HEADER, end));
    at = end + (Number(size) % 2);
  }
  if (!members.has('debian-binary')) throw new Error('is not a Debian package');
  if (![...members.keys()].some(name => name.startsWith('data.tar'))) throw new Error(TRUNCATED);
  return members;
};

const limit = { maxOutputLength: 2 ** 30 };

/** Null when it is compressed with xz, which Node does not read. Debian's own packages are, ours are not. */
const filesIn = async (members: ReadonlyMap<string, Buffer>, name: string): Promise<DebFile[] | null> => {
  const member = (extension: string): Buffer | undefined => members.get(`${name}${extension}`);
  if (member('.xz') !== undefined) return null;
  const [gz, zst] = [member('.gz'), member('.zst')];
  try {
    const tar =
      zst === undefined ? (gz === undefined ? member('') : gunzipSync(gz, limit)) : zstdDecompressSync(zst, limit);
    if (tar === undefined) throw new Error(`it has no ${name}`);
    const files: DebFile[] = [];
    for await (const entry of Readable.from([tar]).pipe(extract())) {
      const { name: path, type, mode } = entry.header;
      const bytes = await buffer(entry);
      if (type === 'file') files.push({ path: path.replace(/^\.?\//, ''), isExecutable: (mode & 0o111) !== 0, bytes });
    }
    return files;
  } catch (error) {
    throw new Error(`${DAMAGED}: ${(error as Error).message}`, { cause: error });
  }
};

const factsIn = (control: string): DebControlFields => {
  const optional = (name: string): string | undefined => new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(control)?.[1];
  const field = (name: string): string => {
    const value = optional(name);
    if (value === undefined) throw new Error(`${DAMAGED}: its control has no ${name}`);
    return value;
  };
  return {
    name: field('Package'),
    version: field('Version'),
    architecture: field('Architecture'),
    depends: optional('Depends') ?? '',
  };
};

/** Puts the name of the file before each message. */
const readAs = async <T>(file: string, read: (members: ReadonlyMap<string, Buffer>) => Promise<T>): Promise<T> => {
  try {
    return await read(membersOf(readFileSync(file)));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${file} ${code === undefined ? message : `cannot be read: ${message}`}`, { cause: error });
  }
};

/** Throws unless the file is a complete package. Null when its control file is compressed with xz. */
export const readDebControlFields = (file: string): Promise<DebControlFields | null> =>
  readAs(file, async members => {
    const control = (await filesIn(members, 'control.tar'))?.find(({ path }) => path === 'control');
    return control === undefined ? null : factsIn(control.bytes.toString());
  });

/** The files that the package installs. */
export const readDebPackageFiles = (file: string): Promise<readonly DebFile[]> =>
  readAs(file, async members => {
    const files = await filesIn(members, 'data.tar');
    if (files === null) throw new Error('is compressed with xz: build it with lintel image package');
    return files;
  });
