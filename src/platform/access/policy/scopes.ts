/**
 * The scopes of API tokens. Bits are permanent and never reused; mask 0 means every scope, present and future
 * (specification, "Scopes").
 */
export const SCOPES = {
  'rotations:read': { bit: 1, description: 'server time, bonuses, merchants, biomes, challenges, calendar' },
  'feeds:read': { bit: 2, description: 'news, streams, videos, community events' },
  'stats:read': { bit: 4, description: 'stat tables, classes' },
  'gems:read': { bit: 8, description: 'gem tools, evaluator, build optimizer' },
  'misc:read': { bit: 16, description: 'software list, time tools, news archive, interest items, supporters' },
  'mods:read': { bit: 32, description: 'reading and building .tmod files, mods catalog' },
  'updates:read': { bit: 64, description: 'game file archive: versions, changes, tree, files' },
  'codexes:read': { bit: 128, description: 'parsed game codexes' },
  'clientapp:read': { bit: 256, description: 'companion app releases' },
  'leaderboards:read': { bit: 512, description: 'in-game leaderboards' },
  'market:read': { bit: 1024, description: 'marketplace listings and prices' },
  'activity:read': { bit: 2048, description: 'player-activity estimates' },
  'giveaways:read': { bit: 4096, description: 'public giveaways' },
  'events:read': { bit: 8192, description: 'live event stream' },
  'ocr:read': { bit: 16_384, description: 'character stats from a screenshot' },
} as const;

export type Scope = keyof typeof SCOPES;

export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];

/** OR of every scope bit: the highest mask a token may have. */
export const ALL_SCOPE_BITS = SCOPE_NAMES.reduce((mask, scope) => mask | SCOPES[scope].bit, 0);

export function isScope(name: string): name is Scope {
  return Object.hasOwn(SCOPES, name);
}

/** Whether a token with this mask may use the scope. */
export function grantsScope(mask: number, scope: Scope): boolean {
  return mask === 0 || (mask & SCOPES[scope].bit) !== 0;
}

/** Mask of the named scopes; no names mean mask 0, which is every scope. Throws on an unknown name. */
export function scopeMaskOf(names: readonly string[]): number {
  return names.reduce((mask, name) => {
    if (!isScope(name)) throw new RangeError(`unknown scope: ${name}`);
    return mask | SCOPES[name].bit;
  }, 0);
}

/** Names of the scopes in a mask, in bit order; none for mask 0, as the public view of a token has it. */
export function scopeNamesOf(mask: number): Scope[] {
  return SCOPE_NAMES.filter((scope) => (mask & SCOPES[scope].bit) !== 0);
}
