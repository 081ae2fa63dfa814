/**
 * Who may import what in `src/`, as laid down in the house style ("Layout", "Inside an area"): one direction,
 * domain <- service <- routes <- app <- index; platform never imports areas, and an area never another area.
 */
export type Role =
  | 'domain'
  | 'data'
  | 'schemas'
  /** Answers in their serialised form, made once for the route, the snapshot and the event stream. */
  | 'bodies'
  | 'tables'
  | 'repository'
  | 'upstream'
  | 'service'
  | 'routes'
  | 'object'
  | 'index'
  /** A file of an area whose name states no role: page and document builders, event sources, cores and clients of objects. */
  | 'plain'
  /** Not TypeScript: JSON, wasm, text. */
  | 'asset';

export interface RoleRule {
  /** Roles it may import from its own area. */
  own: readonly Role[];
  /** Roles of its own area of which it may import types only. */
  ownTypes: readonly Role[];
  /** Folders of `platform` it may import from; `*` is all of them. */
  platform: readonly string[];
  /** Packages it may import from; an entry that ends in `/` or `:` stands for all that begin with it. */
  packages: readonly string[];
}

const PURE: readonly Role[] = ['domain', 'data'];
const EVERY_ROLE: readonly Role[] = [
  ...PURE,
  'schemas',
  'bodies',
  'tables',
  'repository',
  'upstream',
  'service',
  'routes',
  'object',
  'plain',
  'asset',
];
const DRIZZLE = ['drizzle-orm', 'drizzle-orm/'];

export const AREA_RULES: Readonly<Record<Exclude<Role, 'asset'>, RoleRule>> = {
  domain: { own: PURE, ownTypes: [], platform: ['time', 'values'], packages: ['semver'] },
  data: { own: [...PURE, 'asset'], ownTypes: [], platform: ['time', 'values'], packages: [] },
  schemas: { own: [...PURE, 'schemas'], ownTypes: ['service', 'repository'], platform: ['*'], packages: ['@hono/zod-openapi'] },
  bodies: { own: [...PURE, 'schemas', 'bodies'], ownTypes: ['service', 'repository'], platform: ['*'], packages: [] },
  tables: { own: [...PURE, 'tables'], ownTypes: [], platform: ['*'], packages: DRIZZLE },
  repository: { own: [...PURE, 'tables', 'repository'], ownTypes: ['service'], platform: ['*'], packages: [...DRIZZLE, 'node:'] },
  upstream: { own: [...PURE, 'upstream', 'plain'], ownTypes: ['service'], platform: ['*'], packages: ['cloudflare:sockets', 'node:'] },
  service: { own: [...PURE, 'service', 'plain'], ownTypes: ['repository', 'upstream'], platform: ['*'], packages: ['node:'] },
  routes: {
    own: [...PURE, 'schemas', 'bodies', 'service', 'plain', 'routes'],
    ownTypes: ['repository'],
    platform: ['*'],
    packages: ['hono/html'],
  },
  object: {
    own: [...PURE, 'repository', 'plain', 'object'],
    ownTypes: ['service'],
    platform: ['*'],
    packages: ['cloudflare:workers', 'node:'],
  },
  plain: {
    own: [...PURE, 'bodies', 'plain', 'asset'],
    ownTypes: ['service', 'repository', 'object'],
    platform: ['*'],
    packages: [
      'hono/',
      'node:',
      'diff',
      'fflate',
      '@resvg/resvg-wasm',
      '@resvg/resvg-wasm/',
      'tesseract-wasm',
      'tesseract-wasm/',
      '@jsquash/',
      'omggif',
      'fast-bmp',
    ],
  },
  index: { own: EVERY_ROLE, ownTypes: [], platform: ['*'], packages: [] },
};

/** Roles of `platform` that are its own business: an area reaches a store or an object through an interface. */
export const PLATFORM_INTERNALS: Readonly<Partial<Record<Role, readonly Role[]>>> = {
  object: [],
  tables: ['tables', 'repository'],
  repository: ['index'],
};

/** Folders of `platform` that stand below the others and so import from the named folders only. */
export const PLATFORM_BASE: Readonly<Record<string, readonly string[]>> = {
  time: ['time'],
  values: ['values'],
};

export interface RootRule {
  /** Other files directly in `src/`. */
  root: readonly string[];
  /** Roles in areas. */
  areas: readonly Role[];
  /** Roles in areas of which types alone may be imported. */
  areaTypes: readonly Role[];
}

/** The files directly in `src/`: what each may import besides `platform`. */
export const ROOT_RULES: Readonly<Record<string, RootRule>> = {
  'app.ts': { root: [], areas: [], areaTypes: [] },
  'composition.ts': { root: ['app.ts'], areas: ['index'], areaTypes: ['object'] },
  'index.ts': { root: ['app.ts', 'composition.ts'], areas: ['object'], areaTypes: [] },
};

/** Packages nobody may import: there is one `z`, and it comes with the OpenAPI additions. */
export const BANNED_PACKAGES: Readonly<Record<string, string>> = {
  zod: "import z from '@hono/zod-openapi'",
};

/** Packages that `*.domain.ts` and `*.data.ts` must not know of, in `platform` and `game` as well as in areas. */
export const NOT_FOR_PURE_FILES = ['zod', '@hono/', 'hono', 'hono/', 'cloudflare:', ...DRIZZLE];

/**
 * Files that read the machine's clock themselves, with the reason. Everything that decides about the game, limits or
 * access takes the instant as an argument; caches, leases and timeouts run on real time.
 */
export const REAL_TIME_FILES: Readonly<Record<string, string>> = {
  'platform/time/clock.ts': 'is the clock',
  'areas/events/coordinator.object.ts': 'alarm times, which are real',
  'areas/leaderboards/ingest.object.ts': 'alarm times, which are real',
  'areas/mods-catalog/downloads.object.ts': 'alarm times, which are real',
  'areas/mods-catalog/mirror.object.ts': 'alarm times, which are real',
  'areas/updates/archive-sync.object.ts': 'alarm times, which are real',
  'areas/codexes/codex-index.object.ts': 'alarm times, which are real',
  'areas/webhooks/sender.object.ts': 'alarm times, which are real',
  'platform/access/token-gate.ts': 'age of what an isolate remembers',
  'platform/access/token-gate.object.ts': 'lease of the cached token record',
  'platform/rate-limits/blocked-keys.ts': 'age of what an isolate remembers',
  'platform/rate-limits/stored-counters.ts': 'idle timer before counters are written',
  'platform/rate-limits/stored-slots.ts': 'leases of open streams',
  'platform/usage/pending-usage.ts': 'alarm times, which are real',
  'platform/usage/usage-buffer.ts': 'age of what an isolate remembers',
  'platform/settings/settings-cache.ts': 'age of the cached settings',
  'platform/idempotency/idempotency.object.ts': 'lease of a lock and age of a stored answer',
};
