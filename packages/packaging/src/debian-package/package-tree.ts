/** A file or link that a package installs. Folders follow from the paths. */
export type DebianPackageEntry =
  | { readonly path: string; readonly mode: 0o644 | 0o755; readonly content: Uint8Array }
  | { readonly path: string; readonly target: string };

export type DebianPackageTree = readonly DebianPackageEntry[];

export const createDebianPackageTextEntry = (
  path: string,
  text: string,
  mode: 0o644 | 0o755 = 0o644,
): DebianPackageEntry => ({
  path,
  mode,
  content: Buffer.from(text),
});

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const sortDebianPackageTree = (tree: DebianPackageTree): DebianPackageEntry[] =>
  tree.toSorted((a, b) => byName(a.path, b.path));

/** All folders of the entries, parents first. */
export const listPackageFolders = (tree: DebianPackageTree): string[] => {
  const folders = new Set<string>();
  for (const { path } of tree) {
    const parts = path.split('/').slice(0, -1);
    for (let depth = 1; depth <= parts.length; depth++) folders.add(parts.slice(0, depth).join('/'));
  }
  return [...folders].sort(byName);
};
