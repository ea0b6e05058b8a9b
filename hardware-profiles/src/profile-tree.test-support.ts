import { readFileSync } from 'node:fs';

export type Tree = { [key: string]: Tree } & { [index: number]: Tree };

export const asWritten = (product: string): Tree =>
  JSON.parse(readFileSync(new URL(`../profiles/${product}.json`, import.meta.url), 'utf8')) as Tree;

/** Sets the value at a dotted path; undefined removes it. */
export const put = (tree: Tree, path: string, value: unknown): void => {
  const keys = path.split('.');
  const last = keys.pop()!;
  const parent = keys.reduce((at, key) => at[key]!, tree);
  if (value === undefined) delete parent[last];
  else parent[last] = value as Tree;
};
