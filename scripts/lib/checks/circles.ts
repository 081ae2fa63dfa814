import { posix } from 'node:path';
import { statementsOf } from './import-check.ts';

/** What imports what. A target that is not a key has no imports. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Circles of imports, also of types and of `import()`: each as the paths of its files. Keys are paths below `src/`. */
export function findCircles(sources: ReadonlyMap<string, string>): string[][] {
  return circlesOf(importsOf(sources));
}

/**
 * Circles of the folders of an area: each as paths of folders. A file counts for the folder that has it, also those of the area's own
 * folder, except its index, which composes the area. A folder of a folder is one of its own.
 */
export function findFolderCircles(sources: ReadonlyMap<string, string>): string[][] {
  const folders = new Map<string, Set<string>>();
  for (const [path, targets] of importsOf(sources)) {
    const [kind, area, ...rest] = path.split('/');
    if (kind !== 'areas' || /^index\.tsx?$/.test(rest.join('/'))) continue;
    const folder = posix.dirname(path);
    const own = folders.get(folder) ?? new Set();
    folders.set(folder, own);
    for (const target of targets)
      if (target.startsWith(`areas/${area}/`) && posix.dirname(target) !== folder) own.add(posix.dirname(target));
  }
  return circlesOf(folders);
}

function importsOf(sources: ReadonlyMap<string, string>): Graph {
  return new Map(
    [...sources].map(([path, text]) => [
      path,
      new Set(
        statementsOf(path, text)
          .map(({ specifier }) => specifier)
          .filter((specifier) => sources.has(specifier)),
      ),
    ]),
  );
}

function circlesOf(targets: Graph): string[][] {
  // Nodes without an import from the rest, or that the rest does not import, are in no circle: what remains has circles.
  const rest = new Set(targets.keys());
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

/** Circles of imports as problems: of files, and of the folders of an area. */
export function checkCircles(sources: ReadonlyMap<string, string>): string[] {
  return [
    ...findCircles(sources).map((circle) => `src/${circle[0]}  imports form a circle: ${circle.join(', ')}`),
    ...findFolderCircles(sources).map((circle) => `src/${circle[0]}  folders import each other in a circle: ${circle.join(', ')}`),
  ];
}
