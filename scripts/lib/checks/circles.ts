import { statementsOf } from './import-check.ts';

/** Circles of imports, also of types and of `import()`: each as the paths of its files. Keys are paths below `src/`. */
export function findCircles(sources: ReadonlyMap<string, string>): string[][] {
  const targets = new Map(
    [...sources].map(([path, text]) => [
      path,
      new Set(
        statementsOf(path, text)
          .map(({ specifier }) => specifier)
          .filter((specifier) => sources.has(specifier)),
      ),
    ]),
  );
  // Files without an import from the rest, or that the rest does not import, are in no circle: what remains has circles.
  const rest = new Set(sources.keys());
  for (let before = -1; before !== rest.size; ) {
    before = rest.size;
    const imported = new Set([...rest].flatMap((path) => [...(targets.get(path) ?? [])]));
    for (const path of [...rest]) {
      if (!imported.has(path) || ![...(targets.get(path) ?? [])].some((target) => rest.has(target))) rest.delete(path);
    }
  }
  const circles: string[][] = [];
  const reachable = (from: string) => {
    const seen = new Set<string>();
    const open = [from];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      for (const target of targets.get(path) ?? []) {
        if (!rest.has(target) || seen.has(target)) continue;
        seen.add(target);
        open.push(target);
      }
    }
    return seen;
  };
  const reach = new Map([...rest].map((path) => [path, reachable(path)]));
  for (const path of rest) {
    if (!reach.get(path)?.has(path) || circles.some((circle) => circle.includes(path))) continue;
    circles.push([path, ...[...(reach.get(path) ?? [])].filter((other) => other !== path && reach.get(other)?.has(path))].sort());
  }
  return circles;
}

/** Circles of imports as problems. */
export function checkCircles(sources: ReadonlyMap<string, string>): string[] {
  return findCircles(sources).map((circle) => `src/${circle[0]}  imports form a circle: ${circle.join(', ')}`);
}
