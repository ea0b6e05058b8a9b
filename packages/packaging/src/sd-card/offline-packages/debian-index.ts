/** A file of a Debian archive, with the size and checksum that its index declares. */
export interface DebianArchiveFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

const INDEX = 'main/binary-arm64/Packages.gz';

/** The package index that a release file declares. */
export const findDebianIndexFile = (release: string, suite: string): DebianArchiveFile | null => {
  const checksums = release.slice(release.search(/^SHA256:/m));
  const line = checksums.split('\n').find(candidate => candidate.endsWith(` ${INDEX}`));
  const [sha256 = '', size = ''] = line?.trim().split(/\s+/) ?? [];
  return /^[0-9a-f]{64}$/.test(sha256) ? { path: `dists/${suite}/${INDEX}`, size: Number(size), sha256 } : null;
};

/** Null when the index has no such package, or a path that leads out of the archive. */
export const findPackageInIndex = (index: string, name: string): DebianArchiveFile | null => {
  const stanza = index.split('\n\n').find(candidate => candidate.startsWith(`Package: ${name}\n`)) ?? '';
  const field = (key: string): string => new RegExp(`^${key}: (.*)$`, 'm').exec(stanza)?.[1] ?? '';
  const [path, sha256] = [field('Filename'), field('SHA256')];
  const isValid = /^pool\/[\w.+~/-]+\.deb$/.test(path) && !path.includes('..') && /^[0-9a-f]{64}$/.test(sha256);
  return isValid ? { path, size: Number(field('Size')), sha256 } : null;
};
