import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import { truncateEcho } from './base-api-error.ts';
import type { ExpandSpec } from './resource-expands.ts';
import type { ResourceType } from './resource-types-and-field-types.ts';
import { resourceDefinitions } from './resource-definitions.ts';

/** By the key of the expanded object. */
export type ExpandTree = ReadonlyMap<string, ExpandNode>;
export interface ExpandNode {
  readonly spec: ExpandSpec;
  readonly children: ExpandTree;
}

type GrowingTree = Map<string, { readonly spec: ExpandSpec; readonly children: GrowingTree }>;

const invalidExpand = (name: string, object: ResourceType): Result<never> =>
  failed([createProblem('expand', 'invalid_expand', `Invalid expand '${truncateEcho(name)}' for object '${object}'`)]);

/** Adds one dotted chain to the tree. */
const grow = (tree: GrowingTree, type: ResourceType, chain: string): Result<null> => {
  let [at, parent] = [tree, type];
  for (const segment of chain.split('.')) {
    const { expands } = resourceDefinitions[parent];
    const spec = Object.hasOwn(expands, segment) ? expands[segment] : undefined;
    if (spec === undefined) return invalidExpand(segment, parent);
    const node = at.get(segment) ?? { spec, children: new Map() };
    at.set(segment, node);
    [at, parent] = [node.children, spec.target];
  }
  return ok(null);
};

/** Names separated by commas, nested with dots; an empty text expands nothing. */
export const parseExpand = (type: ResourceType, expand: string): Result<ExpandTree> => {
  const tree: GrowingTree = new Map();
  if (expand.trim() === '') return ok(tree);
  for (const chain of expand.split(',')) {
    const grown = grow(tree, type, chain.trim());
    if (!grown.ok) return grown;
  }
  return ok(tree);
};
