import { posix } from 'node:path';

/** An import or re-export statement. */
interface Statement {
  specifier: string;
  /** Whether only types are imported, so the module is not loaded. */
  isTypeOnly: boolean;
  line: number;
}

const STATEMENT = /^(?:import|export)\s+(type\s+)?([^;'"]*?)\s*from\s*'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm;

/** Packages and folders that pure files must not import at run time, directly or indirectly. */
const IMPURE = [/^(?:@hono\/|hono$|hono\/)/, /^drizzle-orm/, /^cloudflare:/, /^zod$/, /^platform\/storage\//];
/** Pages that show in a browser what the areas compute. They import pure files of every area, so that no rule is written twice. */
const TOOLS = 'areas/portal/tools/';
const BROWSER_FILE = /\.browser\.ts$/;
const PURE_FILE = /\.(?:domain|data)\.ts$|^game\/.*\.ts$/;

/** Files directly in `src/`, with the imports from areas that each may have. */
const ROOT_FILES: Readonly<Record<string, RegExp>> = {
  'composition.ts': /^areas\/.*\/index\.tsx?$/,
  'index.ts': /\.object\.ts$/,
  'app.ts': /^$/,
  // Types only: the contracts of all objects.
  'object-contracts.ts': /^areas\/.*\.ts$/,
};

/** Rooms of the platform, from the top. A file imports only from its own room and those below, also types. */
const ROOMS = ['area', 'openapi', 'events', 'http', 'upstream', 'access', 'durable', 'settings', 'storage', 'kit'];

/** Lists of what the areas have, which the service shows in one place: variables of a deployment, links of the menu, request headers. */
const LISTS_OF_AREAS = new Set([
  'platform/settings/variables.data.ts',
  'platform/http/pages/menu.data.ts',
  'platform/http/replies/request-headers.data.ts',
]);

/** Areas whose names are common words that `platform` uses in another sense. */
const GENERAL_WORDS = new Set([
  'accounts',
  'activity',
  'admin',
  'backup',
  'docs',
  'events',
  'ingest',
  'portal',
  'search',
  'service',
  'tokens',
  'updates',
  'usage',
  'webhooks',
]);

/**
 * Checks import rules that Biome cannot express: areas do not import each other, except pages of tools, which import pure files; a room of `platform` imports only rooms below it; domain files, data files, scripts of tools and `game` do not import
 * Hono, bindings or storage, directly or indirectly. Also checks that `platform` does not name an area. Keys are paths below `src/`.
 */
export function checkSources(sources: ReadonlyMap<string, string>): string[] {
  const statements = new Map([...sources].map(([path, text]) => [path, statementsOf(path, text)]));
  return [...statements].flatMap(([path, all]) => {
    const problems = all.flatMap(({ specifier, isTypeOnly, line }) => {
      const reason = whyNot(path, specifier, isTypeOnly, sources);
      return reason === null ? [] : [`src/${path}:${line}  ${specifier}: ${reason}`];
    });
    if (path.startsWith('platform/')) {
      if (!ROOMS.includes(roomOf(path))) problems.push(`src/${path}  ${roomOf(path)} is not a room of platform: ${ROOMS.join(', ')}`);
      if (!LISTS_OF_AREAS.has(path)) problems.push(...namedAreas(path, sources));
    }
    const chain = PURE_FILE.test(path) || BROWSER_FILE.test(path) ? chainToImpure(path, statements) : null;
    return chain === null ? problems : [...problems, `src/${path}  must be pure, but imports ${chain.join(' -> ')}`];
  });
}

/** Kinds of the files of an area, as `docs/architecture/README.md` lists them. */
const KINDS =
  /\.(?:domain|data|schemas|bodies|resource|resources|settings|scopes|tables|sql|store|upstream|service|routes|events|jobs|object|page|pages|tools|browser)\.tsx?$/;

/** Files of areas whose name does not tell their kind. Paths are below `src/`. */
export function checkKinds(paths: Iterable<string>): string[] {
  const isFine = (path: string) => !path.startsWith('areas/') || /\/index\.tsx?$/.test(path) || path.endsWith('.d.ts') || KINDS.test(path);
  return [...paths].filter((path) => !isFine(path)).map((path) => `src/${path}  has no kind in its name: ${KINDS.source}`);
}

/** Import and re-export statements of a file. Relative specifiers become paths below `src/`. */
export function statementsOf(path: string, text: string): Statement[] {
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
  if (path.startsWith('platform/')) {
    const [room, below] = [roomOf(path), roomOf(target)];
    return target.startsWith('platform/') && ROOMS.indexOf(below) < ROOMS.indexOf(room)
      ? `${room} must not import ${below}, which is above it`
      : null;
  }
  const area = areaOf(target);
  if (area === null || !sources.has(target)) return null;
  if (!path.includes('/')) {
    const allowed = ROOT_FILES[path];
    if (!allowed) return `only ${Object.keys(ROOT_FILES).join(', ')} are allowed directly in src/`;
    return allowed.test(target) || isTypeOnly ? null : `${path} imports only ${allowed.source}`;
  }
  const own = areaOf(path);
  if (path.startsWith(TOOLS) && PURE_FILE.test(target)) return null;
  return own === null || own === area ? null : `area ${own} must not import area ${area}`;
}

function roomOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function areaOf(path: string): string | null {
  return /^areas\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** Area names in code, texts and comments of a file, including words within identifiers. */
function namedAreas(path: string, sources: ReadonlyMap<string, string>): string[] {
  const areas = new Set([...sources.keys()].map(areaOf).filter((area) => area !== null && !GENERAL_WORDS.has(area)));
  if (areas.size === 0) return [];
  const name = new RegExp(`\\b(?:${[...areas].join('|').replaceAll('-', '[-_ ]?')})\\b`, 'i');
  return (sources.get(path) ?? '').split('\n').flatMap((text, index) => {
    const match = name.exec(text.replace(/([a-z0-9])(?=[A-Z])/g, '$1 '))?.[0];
    return match === undefined ? [] : [`src/${path}:${index + 1}  ${match}: platform must not name an area`];
  });
}

/** The shortest chain of value imports from a file to an impure module; null if there is none. */
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
