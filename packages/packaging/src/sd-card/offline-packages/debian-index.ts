/** What Debian's archive says of a file: enough to know it when it has come. */
export interface ArchiveFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

const INDEX = 'main/binary-arm64/Packages.gz';

/** The index of packages, as the release names it; null when it does not. */
export const indexOf = (release: string, suite: string): ArchiveFile | null => {
  const sums = release.slice(release.search(/^SHA256:/m));
  const line = sums.split('\n').find(one => one.endsWith(` ${INDEX}`));
  const [sha256 = '', size = ''] = line?.trim().split(/\s+/) ?? [];
  return /^[0-9a-f]{64}$/.test(sha256) ? { path: `dists/${suite}/${INDEX}`, size: Number(size), sha256 } : null;
};

const fieldOf = (stanza: string, name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1] ?? '';

/** A package's file; null when the index has no such package, or names a file that could lead elsewhere. */
export const packageIn = (index: string, name: string): ArchiveFile | null => {
  const at = index.startsWith(`Package: ${name}\n`) ? 0 : index.indexOf(`\nPackage: ${name}\n`);
  if (at === -1) return null;
  const end = index.indexOf('\n\n', at);
  const stanza = index.slice(at, end === -1 ? undefined : end);
  const path = fieldOf(stanza, 'Filename');
  const sha256 = fieldOf(stanza, 'SHA256');
  const isSound = /^pool\/[\w.+~/-]+\.deb$/.test(path) && !path.includes('..') && /^[0-9a-f]{64}$/.test(sha256);
  return isSound ? { path, size: Number(fieldOf(stanza, 'Size')), sha256 } : null;
};
