import { namedValues } from '../../platform/kit/values/named-values.ts';

export const CODEX_TYPES = namedValues('CodexTypeName', 'Type of codex.', [
  'fish',
  'memento',
  'ally',
  'mount',
  'badge',
  'wings',
  'aura',
  'boat',
  'sail',
  'flask',
  'tome',
  'magrider',
  'fishingpole',
  'skin',
  'style',
  'recipe',
  'item',
  'dragon',
]);

export type CodexType = (typeof CODEX_TYPES)[number];

interface CodexTypeRule {
  type: CodexType;
  /** Prefix of the lower-case logical path. */
  prefix: string;
  /** Suffixes of file stems that are not entries. */
  excludedStemSuffixes: readonly string[];
}

/** Parts of a fishing pole and shots of a cannon: prefabs without a name beside those of the collectibles. */
const HELPERS = ['_bobber', '_projectile', '_explosion'];

/** The first matching prefix wins. A dragon is a mount whose category contains `dragon`. */
export const CODEX_TYPE_RULES: readonly CodexTypeRule[] = [
  { type: 'fish', prefix: 'prefabs/item/fish/', excludedStemSuffixes: [] },
  { type: 'memento', prefix: 'prefabs/item/unlocker/', excludedStemSuffixes: [] },
  { type: 'ally', prefix: 'prefabs/collections/pet/', excludedStemSuffixes: ['_npc'] },
  { type: 'mount', prefix: 'prefabs/collections/mount/', excludedStemSuffixes: HELPERS },
  { type: 'badge', prefix: 'prefabs/collections/badge/', excludedStemSuffixes: [] },
  { type: 'wings', prefix: 'prefabs/collections/wings/', excludedStemSuffixes: [] },
  { type: 'aura', prefix: 'prefabs/collections/aura/', excludedStemSuffixes: [] },
  { type: 'boat', prefix: 'prefabs/collections/boat/', excludedStemSuffixes: HELPERS },
  { type: 'sail', prefix: 'prefabs/collections/sail/', excludedStemSuffixes: [] },
  { type: 'flask', prefix: 'prefabs/collections/flask/', excludedStemSuffixes: [] },
  { type: 'tome', prefix: 'prefabs/collections/tome/', excludedStemSuffixes: [] },
  { type: 'magrider', prefix: 'prefabs/collections/magrider/', excludedStemSuffixes: [] },
  { type: 'fishingpole', prefix: 'prefabs/collections/fishing/', excludedStemSuffixes: HELPERS },
  { type: 'skin', prefix: 'prefabs/skins/', excludedStemSuffixes: [] },
  { type: 'style', prefix: 'prefabs/equipment/', excludedStemSuffixes: [] },
  { type: 'recipe', prefix: 'prefabs/recipes/', excludedStemSuffixes: [] },
  { type: 'item', prefix: 'prefabs/item/', excludedStemSuffixes: [] },
];

/** Types whose prefabs have stat modifiers and abilities. */
export const BONUS_TYPES: ReadonlySet<CodexType> = new Set(
  CODEX_TYPES.filter((type) => !['fish', 'memento', 'style', 'recipe', 'item'].includes(type)),
);
