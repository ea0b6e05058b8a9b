type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** A cycle as a readable path, or null. */
export const findCycle = (graph: Graph): string | null => {
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): string | null => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node].join(' → ');
    if (done.has(node)) return null;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...trail, node]);
      if (cycle !== null) return cycle;
    }
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle !== null) return cycle;
  }
  return null;
};

/**
 * For each folder the graph of its children, which are files and folders. An import between two files is an edge
 * between the children of their nearest common folder.
 */
export const folderGraphs = (imports: Iterable<readonly [string, string]>): ReadonlyMap<string, Graph> => {
  const graphs = new Map<string, Map<string, Set<string>>>();
  for (const [from, to] of imports) {
    const [a, b] = [from.split('/'), to.split('/')];
    let depth = 0;
    while (depth < a.length - 1 && a[depth] === b[depth]) depth++;
    if (a[depth] === b[depth]) continue;
    const folder = a.slice(0, depth).join('/');
    const graph = graphs.get(folder) ?? graphs.set(folder, new Map()).get(folder)!;
    const edges = graph.get(a[depth]!) ?? graph.set(a[depth]!, new Set()).get(a[depth]!)!;
    edges.add(b[depth]!);
  }
  return graphs;
};
