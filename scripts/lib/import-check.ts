import { posix } from 'node:path';
import {
  AREA_RULES,
  BANNED_PACKAGES,
  NOT_FOR_PURE_FILES,
  PLATFORM_BASE,
  PLATFORM_INTERNALS,
  REAL_TIME_FILES,
  ROOT_RULES,
  type Role,
} from './import-rules.ts';
import { type ImportStatement, type Scan, scanSource } from './source-scan.ts';

/** Where a file stands: in which layer, which area or folder of it, and what its name says it holds. */
export interface Place {
  layer: 'root' | 'platform' | 'game' | 'areas';
  /** Area, or folder of `platform`; the file's own name at the root. */
  part: string;
  role: Role;
}

const OPENAPI_ZOD = '@hono/zod-openapi';
const ROLE_SUFFIX = /\.(domain|data|schemas|bodies|tables|repository|upstream|service|routes|object)\.tsx?$/;

/** Place of a path below `src/`; null outside the known layers. */
export function placeOf(path: string): Place | null {
  const [layer = '', part = ''] = path.split('/');
  const role = roleOf(path);
  if (!path.includes('/')) return { layer: 'root', part: path, role };
  if (layer === 'platform' || layer === 'areas' || layer === 'game') return { layer, part, role };
  return null;
}

function roleOf(path: string): Role {
  if (!/\.tsx?$/.test(path)) return 'asset';
  if (posix.basename(path) === 'index.ts') return 'index';
  return (ROLE_SUFFIX.exec(path)?.[1] as Role | undefined) ?? 'plain';
}

/** Everything wrong with the sources, as `path:line  what`; keys are paths below `src/`. */
export function checkSources(sources: ReadonlyMap<string, string>): string[] {
  return [...sources].flatMap(([path, text]) => checkFile(path, scanSource(text, path.endsWith('.tsx') ? 'tsx' : 'ts')));
}

function checkFile(path: string, scan: Scan): string[] {
  const place = placeOf(path);
  if (!place) return [`src/${path}  belongs to no layer (platform, game, areas)`];
  const problems = scan.imports.flatMap((statement) => {
    const reason = statement.specifier.startsWith('.') ? whyNotFile(path, place, statement) : whyNotPackage(place, statement);
    return reason === null ? [] : [`src/${path}:${statement.line}  ${statement.specifier}: ${reason}`];
  });
  if (!(path in REAL_TIME_FILES)) {
    for (const { what, line } of scan.ambientUses)
      problems.push(`src/${path}:${line}  ${what}: take the clock or random source as an argument`);
  }
  return problems;
}

function whyNotPackage(from: Place, { specifier, names, isTypeOnly }: ImportStatement): string | null {
  const banned = BANNED_PACKAGES[specifier.split('/')[0] ?? ''];
  if (banned) return banned;
  if ((isPure(from.role) || from.layer === 'game') && matches(specifier, NOT_FOR_PURE_FILES)) {
    return `${from.layer === 'game' ? 'game' : from.role} files are plain functions and data`;
  }
  if (specifier === OPENAPI_ZOD && names.includes('z')) return mayImportZ(from, isTypeOnly) ? null : 'only *.schemas.ts files import z';
  if (from.layer !== 'areas' || from.role === 'asset') return null;
  return matches(specifier, AREA_RULES[from.role].packages) ? null : `no package for ${from.role} files`;
}

/** Schemas are made in schema files and in `platform/http`, which holds the shared ones; elsewhere only their types matter. */
function mayImportZ(from: Place, isTypeOnly: boolean): boolean {
  return isTypeOnly || from.role === 'schemas' || (from.layer === 'platform' && from.part === 'http');
}

function whyNotFile(path: string, from: Place, statement: ImportStatement): string | null {
  const target = posix.join(posix.dirname(path), statement.specifier);
  if (target.startsWith('..')) return 'outside src/';
  if (!/\.\w+$/.test(posix.basename(target))) return 'state the file extension';
  const to = placeOf(target);
  if (!to) return 'belongs to no layer (platform, game, areas)';
  switch (from.layer) {
    case 'root':
      return whyNotFromRoot(from, to, statement.isTypeOnly);
    case 'platform':
      return whyNotFromPlatform(from, to);
    case 'game':
      return to.layer === 'game' || (to.layer === 'platform' && to.part === 'time')
        ? null
        : 'game files import game files and platform/time only';
    case 'areas':
      return whyNotFromArea(from, to, statement.isTypeOnly);
  }
}

function whyNotFromRoot(from: Place, to: Place, isTypeOnly: boolean): string | null {
  const rule = ROOT_RULES[from.part];
  if (!rule) return 'only index.ts, app.ts and composition.ts stand directly in src/';
  if (to.layer === 'platform') return null;
  if (to.layer === 'root') return rule.root.includes(to.part) ? null : `${from.part} must not import ${to.part}`;
  const roles = isTypeOnly ? [...rule.areas, ...rule.areaTypes] : rule.areas;
  if (to.layer === 'areas' && roles.includes(to.role)) return null;
  return `${from.part} must not import ${to.layer} ${to.role} files`;
}

function whyNotFromPlatform(from: Place, to: Place): string | null {
  if (to.layer !== 'platform') return `platform never imports ${to.layer === 'root' ? to.part : to.layer}`;
  const allowed = PLATFORM_BASE[from.part];
  return allowed && !allowed.includes(to.part) ? `platform/${from.part} imports only ${allowed.join(', ')}` : null;
}

function whyNotFromArea(from: Place, to: Place, isTypeOnly: boolean): string | null {
  if (from.role === 'asset') return null;
  const rule = AREA_RULES[from.role];
  if (to.layer === 'root') return `areas never import ${to.part}`;
  if (to.layer === 'game') return isPure(to.role) || to.role === 'plain' ? null : 'game holds rules and data only';
  if (to.layer === 'platform') {
    if (!rule.platform.includes('*') && !rule.platform.includes(to.part))
      return `${from.role} files import only platform/${rule.platform.join(', ')}`;
    const users = PLATFORM_INTERNALS[to.role];
    return users && !isTypeOnly && !users.includes(from.role) ? `${to.role} files of platform are not for ${from.role} files` : null;
  }
  if (to.part !== from.part) return `area ${from.part} must not import area ${to.part}`;
  if (rule.own.includes(to.role)) return null;
  if (!rule.ownTypes.includes(to.role)) return `${from.role} files must not import ${to.role} files`;
  return isTypeOnly ? null : `${from.role} files import only types from ${to.role} files`;
}

function isPure(role: Role): boolean {
  return role === 'domain' || role === 'data';
}

function matches(specifier: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => (/[/:]$/.test(pattern) ? specifier.startsWith(pattern) : specifier === pattern));
}
