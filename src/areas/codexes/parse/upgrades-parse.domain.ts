import type { FileBytes } from '../format/bytes.domain.ts';
import { readVarint64, toExactNumber, unzigzag } from '../format/bytes.domain.ts';
import type { UpgradeEffectsParse, UpgradeTreeParse } from './codex-parse.domain.ts';
import { findAbilityRefs, roundAmount } from './prefab-parse.domain.ts';

const TOKEN = /(?<![/A-Za-z0-9_])[a-z0-9][a-z0-9_]{2,63}/g;
const COST_PATH = /item\/(?:crafting|currency)\/[A-Za-z0-9_/]+/g;
const TREE_SUFFIX = '_upgrade_tree';
const AMOUNT_KEY = 0x10;
const MAX_TOKENS = 50_000;

/** Nodes of an upgrade tree with their costs. */
export function parseUpgradeTree(file: FileBytes): UpgradeTreeParse {
  const tokens = [...file.latin1.matchAll(TOKEN)].slice(0, MAX_TOKENS).map(toToken).filter(isNodeName);
  const paths = [...file.latin1.matchAll(COST_PATH)].slice(0, MAX_TOKENS).map((match) => ({ at: match.index, text: match[0] }));
  const openings = findNodeTokens(tokens, paths);
  const keys = new Set(openings.map(({ text }) => text));
  const tokensOf = splitAtStarts(tokens, openings);
  const pathsOf = splitAtStarts(paths, openings);
  return {
    nodes: openings.map(({ text: key }, index) => {
      const named = (tokensOf[index] ?? []).map(({ text }) => text).filter((text) => text !== key && keys.has(text));
      return { key, costs: costsIn(file, pathsOf[index] ?? []), requires: [...new Set(named)].sort() };
    }),
  };
}

/** Splits items at the offsets of `starts`; both are sorted by offset. */
function splitAtStarts(items: readonly Token[], starts: readonly Token[]): Token[][] {
  let next = 0;
  while (next < items.length && (items[next]?.at ?? 0) < (starts[0]?.at ?? Number.POSITIVE_INFINITY)) next += 1;
  return starts.map((_, index) => {
    const from = next;
    const end = starts[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    while (next < items.length && (items[next]?.at ?? 0) < end) next += 1;
    return items.slice(from, next);
  });
}

interface Token {
  at: number;
  text: string;
}

/** Removes the length byte before a name of 48 or more characters, which matches as a letter or digit. */
function toToken(match: RegExpExecArray): Token {
  const [text] = match;
  return text.charCodeAt(0) === text.length - 1 ? { at: match.index + 1, text: text.slice(1) } : { at: match.index, text };
}

function isNodeName({ text }: Token): boolean {
  return !text.endsWith(TREE_SUFFIX) && !text.startsWith('item');
}

/** Tokens followed by a cost before the next token; the first of each name. */
function findNodeTokens(tokens: readonly Token[], paths: readonly Token[]): Token[] {
  const openings = new Map<string, Token>();
  splitAtStarts(paths, tokens).forEach((costs, index) => {
    const token = tokens[index];
    if (token !== undefined && costs.length > 0 && !openings.has(token.text)) openings.set(token.text, token);
  });
  return [...openings.values()];
}

function costsIn(file: FileBytes, paths: readonly Token[]): { item: string; quantity: number }[] {
  return paths.flatMap(({ at, text }) => {
    const end = at + text.length;
    const raw = file.bytes[end] === AMOUNT_KEY ? readVarint64(file.bytes, end + 1) : null;
    const quantity = raw && toExactNumber(unzigzag(raw.value));
    return quantity !== null && quantity > 0 ? [{ item: text, quantity }] : [];
  });
}

const NOT_WORDS = /[^A-Za-z0-9_$/\\.-]+/g;
const MAX_WORDS_LENGTH = 1 << 20;

/** Effects of nodes, and of each level for companions. */
export function parseUpgradeEffects(file: FileBytes): UpgradeEffectsParse {
  return { words: file.latin1.replace(NOT_WORDS, ' ').slice(0, MAX_WORDS_LENGTH), levels: parseLevels(file) };
}

const LEVEL_TOKEN = /(?<![A-Za-z0-9_$/])[A-Za-z0-9_]*?_level_(\d\d)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: bytes of the format
const LEVEL_STAT = /\x10\x02\x24(.{4})\x38/gs;
const COMPANION_ABILITIES = 'abilities/discovery/companion/';
const NAME_KEY = /\$[A-Za-z0-9_]+_name/g;

function parseLevels(file: FileBytes): UpgradeEffectsParse['levels'] {
  const marks = [...file.latin1.matchAll(LEVEL_TOKEN)].map((match) => ({ at: match.index, level: Number(match[1]) }));
  const levels = new Map<number, UpgradeEffectsParse['levels'][number]>();
  marks.forEach(({ at, level }, index) => {
    const chunk = file.latin1.slice(at, marks[index + 1]?.at);
    const refs = findAbilityRefs(chunk).filter((ref) => ref.startsWith(COMPANION_ABILITIES));
    const keys = chunk.match(NAME_KEY) ?? [];
    const group = levels.get(level) ?? { level, amounts: [], abilities: [] };
    group.amounts.push(...[...chunk.matchAll(LEVEL_STAT)].flatMap(([, bytes]) => floatOf(bytes ?? '')));
    group.abilities.push(...refs.map((ref, place) => ({ ref, key: keys[place] ?? null })));
    levels.set(level, group);
  });
  return [...levels.values()]
    .filter(({ amounts, abilities }) => amounts.length > 0 || abilities.length > 0)
    .sort((a, b) => a.level - b.level);
}

function floatOf(latin1: string): number[] {
  const bytes = Uint8Array.from(latin1, (character) => character.charCodeAt(0));
  const value = new DataView(bytes.buffer).getFloat32(0, true);
  return Number.isFinite(value) ? [roundAmount(value)] : [];
}
