import { fieldOf, rowsOf, textOf } from '../format/binfab.domain.ts';
import { type FileBytes, readVarint64, toExactNumber, unzigzag } from '../format/bytes.domain.ts';
import { decodeTable } from '../format/decode-binfab.domain.ts';
import type { PowerRankParse } from './codex-parse.domain.ts';
import { COMPANION_GEODE_BASE, MARKED_POWER_RANK, MASTERY_BASES, POWER_RANK_BY_RAW_TIER, SKIN_MASTERY_BASE } from './codex-tables.data.ts';

/** Rows of a multiplier table: groups of a factor and its identifiers. A group can be empty. */
export function parseMultipliers(file: FileBytes): [id: string, factor: number][] {
  return rowsOf(fieldOf(decodeTable(file), 0)).flatMap((group) => {
    const factor = fieldOf(group, 0);
    if (factor?.kind !== 'float') return [];
    return rowsOf(fieldOf(group, 1)).flatMap((row): [string, number][] => {
      const id = textOf(fieldOf(row, 1)) ?? '';
      return id === '' ? [] : [[id, factor.value]];
    });
  });
}

/** Factors by mastery identifier. */
export type Multipliers = ReadonlyMap<string, number>;

export function createMultipliers(rows: readonly (readonly [id: string, factor: number])[]): Multipliers {
  const factors = new Map<string, number>();
  for (const [id, factor] of rows) {
    const key = masteryId(id.toLowerCase());
    if (!factors.has(key)) factors.set(key, factor);
  }
  return factors;
}

/** Mastery key of an identifier: a name without a path is a skin unless it contains a fragment of `MASTERY_BASES`. */
export function masteryId(identifier: string): string {
  if (identifier.startsWith('skins/')) return `collections/skin/${identifier.slice('skins/'.length)}`;
  if (identifier.includes('/') || listedBase(identifier) !== null) return identifier;
  return `collections/skin/${identifier}`;
}

function listedBase(id: string): number | null {
  return MASTERY_BASES.find(({ fragment }) => id.includes(fragment))?.base ?? null;
}

/** Base mastery of a mastery key. */
export function masteryBase(id: string): number {
  return id.startsWith('collections/skin/') ? SKIN_MASTERY_BASE : (listedBase(id) ?? 0);
}

/** Base times factor; without a factor the base, or null if it is 0. */
export function masteryOf(factor: number | undefined, base: number): number | null {
  if (factor !== undefined) return base * factor;
  return base === 0 ? null : base;
}

/** Geode mastery; null without a factor in the geode table. Collectibles and items with factor 0 have their base. */
export function geodeMasteryOf(id: string, factor: number | undefined, base: number): number | null {
  if (factor === undefined) return null;
  const geodeBase = id.includes('item/companion') ? COMPANION_GEODE_BASE : base;
  if (factor > 0) return geodeBase * factor;
  return id.startsWith('collections/') || id.startsWith('item/') ? geodeBase : 0;
}

const MARK = '\x2e\x00\x08\x30\x00\x40\x01\x1e\xe2\x05';
const TIER_KEY = 0x30;
const AFTER_TIER = [0x40, 0x01] as const;
const MAX_TIERS = 64;

/** Rank data of a prefab: the byte pattern of rank 30, and raw tiers `30 <tier> 40 01` without duplicates. */
export function parsePowerRank({ bytes, latin1 }: FileBytes): PowerRankParse {
  const tiers = new Set<number>();
  for (let at = bytes.indexOf(TIER_KEY); at >= 0 && tiers.size < MAX_TIERS; at = bytes.indexOf(TIER_KEY, at + 1)) {
    const tier = readVarint64(bytes, at + 1);
    if (tier === null || bytes[tier.next] !== AFTER_TIER[0] || bytes[tier.next + 1] !== AFTER_TIER[1]) continue;
    const value = toExactNumber(tier.value);
    if (value !== null) tiers.add(value);
  }
  return { marked: latin1.includes(MARK), tiers: [...tiers] };
}

const ROW_START = 0x1e;
const MAX_RANK_ROWS = 10_000;

/** Rows `1E <varint> 00 <tier> 10 <zigzag rank>` of the rank table with a rank above zero. */
export function parsePowerRankTable({ bytes }: FileBytes): [tier: number, rank: number][] {
  const rows: [number, number][] = [];
  for (let at = bytes.indexOf(ROW_START); at >= 0 && rows.length < MAX_RANK_ROWS; at = bytes.indexOf(ROW_START, at + 1)) {
    const operation = readVarint64(bytes, at + 1);
    if (operation === null || bytes[operation.next] !== 0x00) continue;
    const tier = readVarint64(bytes, operation.next + 1);
    if (tier === null || bytes[tier.next] !== 0x10) continue;
    const rank = readVarint64(bytes, tier.next + 1);
    const value = rank && toExactNumber(unzigzag(rank.value));
    const key = toExactNumber(tier.value);
    if (value !== null && value > 0 && key !== null) rows.push([key, value]);
  }
  return rows;
}

/** Rank by raw tier: built-in values, overridden by the first row of a tier in the table. */
export function createPowerRanks(rows: readonly (readonly [tier: number, rank: number])[]): ReadonlyMap<number, number> {
  const ranks = new Map(Object.entries(POWER_RANK_BY_RAW_TIER).map(([tier, rank]) => [Number(tier), rank]));
  for (const [tier, rank] of [...rows].reverse()) ranks.set(tier, rank);
  return ranks;
}

export function resolvePowerRank(parse: PowerRankParse, ranks: ReadonlyMap<number, number>): number | null {
  if (parse.marked) return MARKED_POWER_RANK;
  const tier = parse.tiers.find((candidate) => ranks.has(candidate));
  return tier === undefined ? null : (ranks.get(tier) ?? null);
}
