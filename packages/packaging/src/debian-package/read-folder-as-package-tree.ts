import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository-root.ts';
import type { DebianPackageTree } from './package-tree.ts';

/** The files below a folder, with the modes that git knows, whatever the umask. */
export const readFolderAsPackageTree = (root: string): DebianPackageTree =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(path => statSync(join(root, path)).isFile())
    .map(path => {
      const file = join(root, path);
      return { path, mode: (statSync(file).mode & 0o100) === 0 ? 0o644 : 0o755, content: readFileSync(file) };
    });

export const readRepositoryFolder = (folder: string): DebianPackageTree =>
  readFolderAsPackageTree(join(repositoryRoot, folder));

export const prefixPackagePaths = (prefix: string, tree: DebianPackageTree): DebianPackageTree =>
  tree.map(entry => ({ ...entry, path: `${prefix}/${entry.path}` }));
