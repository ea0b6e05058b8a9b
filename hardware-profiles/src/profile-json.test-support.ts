import { readFileSync } from 'node:fs';

export type JsonTree = { [key: string]: JsonTree } & { [index: number]: JsonTree };

export const readShippedProfile = (product: string): JsonTree =>
  JSON.parse(readFileSync(new URL(`../profiles/${product}.json`, import.meta.url), 'utf8')) as JsonTree;

/** Sets the value at a dotted path; undefined removes it. */
export const setValueAtPath = (tree: JsonTree, path: string, value: unknown): void => {
  const keys = path.split('.');
  const last = keys.pop()!;
  const parent = keys.reduce((at, key) => at[key]!, tree);
  if (value === undefined) delete parent[last];
  else parent[last] = value as JsonTree;
};
