/** One scope of API tokens. Its bit is permanent and never reused (specification, "Scopes"). */
export interface ScopeDeclaration {
  bit: number;
  description: string;
}

export type ScopeDeclarations = Readonly<Record<string, ScopeDeclaration>>;

/** The names of all scopes. The area that introduces a scope adds its name by declaration merging, beside the declaration. */
// biome-ignore lint/suspicious/noEmptyInterface: the areas add to it
export interface Scopes {}

export type Scope = keyof Scopes;

/** The scopes of every area, in the order of their bits. */
export interface ScopeRegistry {
  names: readonly Scope[];
  /** OR of every bit: the highest mask a token may have. */
  allBits: number;
  bitOf(scope: Scope): number;
  descriptionOf(scope: Scope): string;
  isScope(name: string): name is Scope;
  /** Mask of the named scopes; no names mean mask 0, which is every scope. Throws on an unknown name. */
  maskOf(names: readonly string[]): number;
  /** Names of the scopes in a mask; none for mask 0, as in the public view of a token. */
  namesOf(mask: number): Scope[];
}

/** Throws when a bit is no power of two or, like a name, declared twice. */
export function createScopeRegistry(declarations: readonly ScopeDeclarations[]): ScopeRegistry {
  const all = declarations.flatMap((scopes) => Object.entries(scopes)).sort(([, one], [, other]) => one.bit - other.bit);
  const byName = new Map(all);
  const bits = new Set(all.map(([, { bit }]) => bit));
  if (byName.size < all.length || bits.size < all.length) throw new Error('two scopes share a name or a bit');
  if (![...bits].every((bit) => Number.isInteger(Math.log2(bit)))) throw new Error('the bit of a scope must be a power of two');
  const names = [...byName.keys()] as Scope[];

  function find(name: string): ScopeDeclaration {
    const found = byName.get(name);
    if (!found) throw new RangeError(`unknown scope: ${name}`);
    return found;
  }

  return {
    names,
    allBits: [...bits].reduce((mask, bit) => mask | bit, 0),
    bitOf: (scope) => find(scope).bit,
    descriptionOf: (scope) => find(scope).description,
    isScope: (name): name is Scope => byName.has(name),
    maskOf: (wanted) => wanted.reduce((mask, name) => mask | find(name).bit, 0),
    namesOf: (mask) => names.filter((scope) => (mask & find(scope).bit) !== 0),
  };
}

/** True when a token with this mask has all the scopes of another mask. Mask 0 means every scope, present and future. */
export function grantsScopes(mask: number, required: number): boolean {
  return mask === 0 || (mask & required) === required;
}
