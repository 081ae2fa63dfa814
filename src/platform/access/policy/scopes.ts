/** One scope of API tokens. Its bit is permanent and never reused (specification, "Scopes"). */
export interface ScopeDeclaration {
  bit: number;
  description: string;
}

export type ScopeDeclarations = Readonly<Record<string, ScopeDeclaration>>;

/** The names of declared scopes as properties, with which an area extends `Scopes`. */
export type ScopeNames<Declarations extends ScopeDeclarations> = { readonly [Name in keyof Declarations]: true };

/** The names of all scopes. Each area adds its scopes by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: the areas add to it
export interface Scopes {}

export type Scope = keyof Scopes;

/** The scopes of every area, in the order of their bits. */
export interface ScopeRegistry {
  names: readonly Scope[];
  /** OR of all bits: the highest mask of a token. */
  allBits: number;
  bitOf(scope: Scope): number;
  descriptionOf(scope: Scope): string;
  isScope(name: string): name is Scope;
  /** Mask of the named scopes. An empty list gives mask 0, which means every scope. Throws `RangeError` for an unknown name. */
  maskOf(names: readonly string[]): number;
  /** Names of the scopes in a mask. Empty for mask 0, as in the public view of a token. */
  namesOf(mask: number): Scope[];
}

/** Throws when two scopes share a name or a bit, or when a bit is not a power of two. */
export function createScopeRegistry(declarations: readonly ScopeDeclarations[]): ScopeRegistry {
  const all = declarations.flatMap((scopes) => Object.entries(scopes)).sort(([, one], [, other]) => one.bit - other.bit);
  const byName = new Map(all);
  const bits = new Set(all.map(([, { bit }]) => bit));
  if (byName.size < all.length || bits.size < all.length) throw new Error('two scopes share a name or a bit');
  if (![...bits].every((bit) => Number.isInteger(Math.log2(bit)))) throw new Error('the bit of a scope must be a power of two');
  const names = [...byName.keys()] as Scope[];

  function find(name: string): ScopeDeclaration {
    const declaration = byName.get(name);
    if (!declaration) throw new RangeError(`unknown scope: ${name}`);
    return declaration;
  }

  return {
    names,
    allBits: [...bits].reduce((mask, bit) => mask | bit, 0),
    bitOf: (scope) => find(scope).bit,
    descriptionOf: (scope) => find(scope).description,
    isScope: (name): name is Scope => byName.has(name),
    maskOf: (scopeNames) => scopeNames.reduce((mask, name) => mask | find(name).bit, 0),
    namesOf: (mask) => names.filter((scope) => (mask & find(scope).bit) !== 0),
  };
}

/** True when a token with `mask` has all scopes of `required`. Mask 0 means every scope, present and future. */
export function grantsScopes(mask: number, required: number): boolean {
  return mask === 0 || (mask & required) === required;
}
