import { posix } from 'node:path';

/** An import or export statement that names another module. */
interface Statement {
  specifier: string;
  /** Only types are imported: nothing of the module runs. */
  isTypeOnly: boolean;
  line: number;
}

const STATEMENT = /^(?:import|export)\s+(type\s+)?([^;'"]*?)\s*from\s*'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm;

/** Packages and folders that rules of the game must not need at run time, directly or through other modules. */
const IMPURE = [/^(?:@hono\/|hono$|hono\/)/, /^drizzle-orm/, /^cloudflare:/, /^zod$/, /^platform\/storage\//];
const PURE_FILE = /\.(?:domain|data)\.ts$|^game\/.*\.ts$/;

/** Files directly in `src/`, which may import from areas: a registration or a Durable Object class. */
const ROOT_FILES: Readonly<Record<string, RegExp>> = {
  'composition.ts': /^areas\/.*\/index\.tsx?$/,
  'index.ts': /\.object\.ts$/,
  'app.ts': /^$/,
};

/** Areas whose names are everyday words, which the platform uses in another sense. */
const GENERAL_WORDS = new Set(['accounts', 'activity', 'admin', 'docs', 'events', 'portal', 'service', 'tokens', 'updates', 'webhooks']);

/**
 * What Biome cannot say about imports, as it sees neither whose folder a path leads to nor what a module imports in turn: an area
 * imports no other area, and domain and data files and those of `game` run without Hono, bindings or storage. Beyond imports, `platform` names no area. Keys are paths below `src/`.
 */
export function checkSources(sources: ReadonlyMap<string, string>): string[] {
  const statements = new Map([...sources].map(([path, text]) => [path, statementsOf(path, text)]));
  return [...statements].flatMap(([path, all]) => {
    const found = all.flatMap(({ specifier, isTypeOnly, line }) => {
      const reason = whyNot(path, specifier, isTypeOnly, sources);
      return reason === null ? [] : [`src/${path}:${line}  ${specifier}: ${reason}`];
    });
    if (path.startsWith('platform/')) found.push(...namedAreas(path, sources));
    const chain = PURE_FILE.test(path) ? chainToImpure(path, statements) : null;
    return chain === null ? found : [...found, `src/${path}  must stay pure, but needs ${chain.join(' -> ')}`];
  });
}

function statementsOf(path: string, text: string): Statement[] {
  return [...text.matchAll(STATEMENT)].map((match) => {
    const [, typeWord, names = '', source, bare, dynamic] = match;
    const specifier = source ?? bare ?? dynamic ?? '';
    const named = names
      .replace(/[{}]/g, '')
      .split(',')
      .map((name) => name.trim());
    const isTypeOnly = typeWord !== undefined || (names.startsWith('{') && named.every((name) => name === '' || name.startsWith('type ')));
    const line = text.slice(0, match.index).split('\n').length;
    return { specifier: specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier, isTypeOnly, line };
  });
}

function whyNot(path: string, target: string, isTypeOnly: boolean, sources: ReadonlyMap<string, string>): string | null {
  if (target.startsWith('../')) return 'outside src/';
  const area = areaOf(target);
  if (area === null || !sources.has(target)) return null;
  if (!path.includes('/')) {
    const allowed = ROOT_FILES[path];
    if (!allowed) return `only ${Object.keys(ROOT_FILES).join(', ')} stand directly in src/`;
    return allowed.test(target) || isTypeOnly ? null : `${path} imports only ${allowed.source}`;
  }
  const own = areaOf(path);
  return own === null || own === area ? null : `area ${own} must not import area ${area}`;
}

function areaOf(path: string): string | null {
  return /^areas\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** Names of areas in code, texts and comments of a file, also as words of longer identifiers. */
function namedAreas(path: string, sources: ReadonlyMap<string, string>): string[] {
  const areas = new Set([...sources.keys()].map(areaOf).filter((area) => area !== null && !GENERAL_WORDS.has(area)));
  if (areas.size === 0) return [];
  const name = new RegExp(`\\b(?:${[...areas].join('|').replaceAll('-', '[-_ ]?')})\\b`, 'i');
  return (sources.get(path) ?? '').split('\n').flatMap((text, index) => {
    const found = name.exec(text.replace(/([a-z0-9])(?=[A-Z])/g, '$1 '))?.[0];
    return found === undefined ? [] : [`src/${path}:${index + 1}  ${found}: platform names no area`];
  });
}

/** The shortest way from a file to something impure, by value imports alone. */
function chainToImpure(start: string, statements: ReadonlyMap<string, readonly Statement[]>): string[] | null {
  const seen = new Set([start]);
  const queue: string[][] = [[start]];
  for (const chain of queue) {
    for (const { specifier, isTypeOnly } of statements.get(chain.at(-1) ?? '') ?? []) {
      if (isTypeOnly || seen.has(specifier)) continue;
      seen.add(specifier);
      const longer = [...chain, specifier];
      if (IMPURE.some((pattern) => pattern.test(specifier))) return longer.slice(1);
      queue.push(longer);
    }
  }
  return null;
}
