import type { AbilityItem, AbilityTexts } from '../codex.domain.ts';
import { type FileBytes, scanTexts } from '../format/strings.domain.ts';
import { HIDDEN_ABILITY_SUBSTRINGS } from './codex-tables.data.ts';

const REF = /abilities\/[A-Za-z0-9_/.\\]+/g;
const MAX_ABILITY_REFS = 512;
const FLASK_HEALTH = 'use_flask_health_';
const FLASK_DUMMY_HEALTH = 'use_flask_dummyhealth_';

/** Ability references in a text, in order, without duplicates. */
export function findAbilityRefs(text: string): string[] {
  const refs = new Set<string>();
  for (const [match] of text.matchAll(REF)) {
    refs.add(match.replaceAll('\\', '/').replace(/[./]+$/, ''));
    if (refs.size >= MAX_ABILITY_REFS) break;
  }
  return [...refs];
}

function isHiddenAbility(ref: string, all: readonly string[]): boolean {
  if (HIDDEN_ABILITY_SUBSTRINGS.some((part) => ref.includes(part))) return true;
  const at = ref.indexOf(FLASK_HEALTH);
  if (at < 0) return false;
  const dummy = FLASK_DUMMY_HEALTH + ref.slice(at + FLASK_HEALTH.length);
  return all.some((other) => other.endsWith(dummy));
}

/** Text keys of an ability: the first of each kind in its prefab. */
export function parseAbilityKeys(file: FileBytes): { nameKey: string | null; descriptionKey: string | null } {
  let nameKey: string | null = null;
  let descriptionKey: string | null = null;
  for (const { text } of scanTexts(file)) {
    if (!text.startsWith('$')) continue;
    if (text.endsWith('_name')) nameKey ??= text;
    if (text.endsWith('_description')) descriptionKey ??= text;
    if (nameKey !== null && descriptionKey !== null) break;
  }
  return { nameKey, descriptionKey };
}

/** Refs in entry order; `textsOf` returns the texts of a ref. */
export function toAbilityItems(refs: readonly string[], textsOf: (ref: string) => AbilityTexts): AbilityItem[] {
  return refs.map((ref) => (isHiddenAbility(ref, refs) ? { ref, hidden: true } : { ref, hidden: false, ...textsOf(ref) }));
}
