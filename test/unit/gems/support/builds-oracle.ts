import { ALLIES, type Buff, FOODS } from '../../../../src/areas/gems/builds/builds.data.ts';
import type { BuildResponse, BuildRow } from '../../../../src/areas/gems/builds/builds-calculate.domain.ts';
import type { BuildRequest } from '../../../../src/areas/gems/builds/builds-request.domain.ts';
import { viewStarChart } from '../../../../src/areas/gems/builds/star-chart.domain.ts';
import { classByName, type GameClass } from '../../../../src/game/classes.domain.ts';

/**
 * Reference implementation of the build calculator by the specification: sorts all layouts and returns the rows of the first
 * 200. Shares only the game tables, the star chart decoder and the class data with the tested code.
 */

/** Lines of a maxed gem of the highest tier: without boosts, and per boost. */
export const GEM_LINES = {
  empowered: {
    damage: [24276, 8400],
    critical: [252.5, 95],
    light: [665, 350],
    health: [61950, 28875],
    healthPercent: [619.5, 288.75],
    hit: [25.25, 9.5],
  },
  lesser: {
    damage: [17304, 6720],
    critical: [240, 82.5],
    light: [640, 325],
    health: [56700, 23625],
    healthPercent: [567, 236.25],
    hit: [24, 8.25],
  },
} as const;

type Line = readonly [base: number, perBoost: number];

interface Sums {
  F: number;
  C: number;
  L: number;
  p: number;
  q: number;
  r: number;
  b: number | null;
}

export function naiveBuilds(request: BuildRequest): BuildResponse {
  const type = request.build_type ?? 'Light';
  const target = request.light ?? 0;
  const sums = type === 'Health' ? healthSums(request) : damageSums(request);
  const precise = request.high_precision === true;
  // Only the values of the order for every layout: writing all values of 53,200 layouts takes most of the time.
  const keys = layoutsOf(type).map((boosts) => {
    const { light, coefficient } = valuesOf(boosts, sums, type);
    return {
      boosts,
      distance: target === 0 ? 0 : Math.abs(round(light, 2, precise) - target),
      coefficient: round(coefficient, 2, precise),
    };
  });
  keys.sort((left, right) => left.distance - right.distance || right.coefficient - left.coefficient);
  const results = keys.slice(0, 200).map(({ boosts }, index) => ({ ...toRow(boosts, sums, type, target, precise), rank: index + 1 }));
  return { results, count: results.length };
}

const round = (value: number, decimals: number, precise: boolean) => Number(value.toFixed(precise ? 8 : decimals));

type Boosts = readonly [number, number, number, number, number, number, number, number, number, number];

const layoutsByType = new Map<string, Boosts[]>();
function layoutsOf(type: string): Boosts[] {
  const layouts = layoutsByType.get(type) ?? allLayouts(type);
  layoutsByType.set(type, layouts);
  return layouts;
}

/** All layouts in enumeration order. */
function allLayouts(type: string): Boosts[] {
  const layouts: Boosts[] = [];
  const cosmic = (sum: number) => {
    const triples: [number, number, number][] = [];
    for (let x = 0; x <= sum; x += 1) for (let y = 0; y <= sum - x; y += 1) triples.push([x, y, sum - x - y]);
    return type === 'Farm' ? triples : triples.filter(([, , z]) => z === sum);
  };
  for (let i = 0; i <= 9; i += 1) {
    for (let j = 0; j <= 18; j += 1) {
      for (const [x1, y1, z1] of cosmic(3)) {
        for (const [x2, y2, z2] of cosmic(6)) layouts.push([i, 9 - i, j, 18 - j, x1, y1, z1, x2, y2, z2]);
      }
    }
  }
  return layouts;
}

function valuesOf([i, ic, j, jc, x1, y1, z1, x2, y2, z2]: Boosts, { F, C, L, p, q, r, b }: Sums, type: string) {
  const { empowered, lesser } = GEM_LINES;
  const [damage, critical] = type === 'Health' ? (['health', 'healthPercent'] as const) : (['damage', 'critical'] as const);
  const bracket = (e: Line, l: Line, es: number, ls: number, eb: number, lb: number) => es * e[0] + ls * l[0] + e[1] * eb + l[1] * lb;
  const base = F + 1.1 * bracket(empowered[damage], lesser[damage], 4, 8, i + x1, j + x2);
  const crit = C + 1.1 * bracket(empowered[critical], lesser[critical], 4, 8, ic + y1, jc + y2);
  const light = ((L + 1.1 * bracket(empowered.light, lesser.light, 1, 2, z1, z2)) * r) / 100;
  const raised = base * (1 + p / 100);
  const total = b === null ? raised : raised * (1 + b / 100);
  return { base, crit, light, total, coefficient: total * (1 + (crit * (q / 100)) / 100) };
}

function toRow(boosts: Boosts, sums: Sums, type: string, target: number, precise: boolean): BuildRow {
  const [i, ic, j, jc, x1, y1, z1, x2, y2, z2] = boosts;
  const { base, crit, light, total, coefficient } = valuesOf(boosts, sums, type);
  const short = `${i}/${ic}/${j}/${jc}`;
  const long = type === 'Health' ? `${short} + ${x1}/${y1}/${x2}/${y2}` : `${short} + ${x1}/${y1}/${z1}/${x2}/${y2}/${z2}`;
  return {
    rank: 0,
    layout: type === 'Health' || target !== 0 ? long : short,
    base_dmg: round(base, 2, precise),
    crit_dmg: round(crit, 1, precise),
    light: round(light, 2, precise),
    bonus_dmg: Number(sums.p.toFixed(8)),
    crit_bonus: Number((sums.q - 100).toFixed(8)),
    total_dmg: round(total, 2, precise),
    class_bonus: sums.b,
    coefficient: round(coefficient, 2, precise),
    boosts: { empowered: [i, ic], lesser: [j, jc], cosmic_empowered: [x1, y1, z1], cosmic_lesser: [x2, y2, z2] },
  };
}

const sheetOf = (name: string | null | undefined, other: string): GameClass => {
  const found = classByName(name ?? other);
  if (found === undefined) throw new Error(`no class ${name}`);
  return found;
};

const rowOf = (rows: readonly { name: string; value: number | null }[], name: string) => rows.find((row) => row.name === name)?.value ?? 0;

function healthSums({ character }: BuildRequest): Sums {
  const { stats } = sheetOf(character, 'Bard');
  return { F: 151551 + rowOf(stats, 'Maximum Health'), C: 1030 + rowOf(stats, 'Maximum Health %'), L: 0, p: 0, q: 100, r: 100, b: null };
}

function damageSums(request: BuildRequest): Sums {
  const sheet = sheetOf(request.character, 'Bard');
  const subclass = sheetOf(request.subclass, 'Boomeranger').name;
  const T = sheet.damage_type === 'Magic' ? 'Magic Damage' : 'Physical Damage';
  let F = 46000 + rowOf(sheet.stats, T) + 4400 + 2000;
  if (!request.no_face) F += 7507.499512;
  let C = 244.299994 + rowOf(sheet.stats, 'Critical Damage') + 99;
  let [L, p, q, r] = [7105, 114.999994, 100, 100];

  for (const { name, value, percentage } of FOODS.find(({ key }) => key === request.food)?.stats ?? []) {
    if (name === T && percentage) p += value;
    if (name === T && !percentage) F += value;
    if (name === 'Critical Damage') C += value;
    if (name === 'Light') L += value;
  }
  const ally = ALLIES.find(({ key }) => key === (request.ally ?? 'boot_clown')) as Buff;
  for (const { name, value, percentage } of ally.stats) {
    const buffed = value * (request.ally_buff === false ? 1 : name === 'Light' ? 1.155 : 1.31);
    if (name === T && percentage) p += buffed;
    if (name === T && !percentage) F += buffed;
    if (name === 'Critical Damage' && percentage) q += buffed;
    if (name === 'Critical Damage' && !percentage) C += buffed;
    if (name === 'Light') L += buffed;
  }
  C -= 48.1 * (3 - (request.critical_damage_count ?? 3));
  if (sheet.name === 'Solarion' || subclass === 'Solarion') L += 140;
  if (subclass === 'Lunar Lancer' && T === 'Physical Damage') F += 750;
  if ((subclass === 'Ice Sage' || subclass === 'Shadow Hunter') && T === 'Magic Damage') F += 750;
  if (subclass === 'Bard' || subclass === 'Boomeranger') C += 20;
  if (request.subclass_active) {
    if (subclass === 'Bard') p += 45;
    if (subclass === 'Bard') C += 45;
    if (subclass === 'Gunslinger') p += 5.5;
    if (subclass === 'Lunar Lancer' || subclass === 'Candy Barbarian') p += 30;
  }
  if (request.berserker_battler) L += 750;
  if (request.litany) r += 1;
  const { stats, bounty_hunt: hunt } = viewStarChart(request.star_chart);
  const chart = (name: string) => stats[name] ?? { flat: 0, pct: 0 };
  F += chart(T).flat;
  C += chart('Critical Damage').flat;
  L += chart('Light').flat;
  p += chart(T).pct;
  q += chart('Critical Damage').pct;
  r += chart('Light').pct;
  if (request.bounty_hunt) p += T === 'Magic Damage' ? hunt.magic : hunt.physical;
  return { F, C, L, p, q, r, b: rowOf(sheet.bonuses, T) };
}
