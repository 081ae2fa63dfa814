import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { START_SHEET } from '../../../src/areas/codexes/parse/class-levels.domain.ts';
import { PARSER_VERSION } from '../../../src/areas/codexes/parse/codex-parse.domain.ts';
import { STATS } from '../../../src/areas/codexes/parse/codex-stats.data.ts';
import { composeApp } from '../../../src/composition.ts';
import { classByTechName } from '../../../src/game/classes.domain.ts';
import { appFetch } from '../../support/app-fetch.ts';
import { ADD, type ClassRow, encodeClass, MULTIPLY, SUM } from '../../support/codex/class-file.ts';
import { encodeBinfab } from '../../support/codex/encode-binfab.ts';
import { indexBranch, storeBranch } from '../../support/codex/stored-branch.ts';
import { component, entity, fixed, float, int, object, text } from '../../support/codex/tree.ts';
import { fixedSettings } from '../../support/declarations.ts';
import { ALL_ON } from '../../support/endpoints.ts';
import { bearer, call } from '../../support/requests.ts';
import { createSuperuserToken } from '../../support/tokens.ts';

const NOW = 1_780_930_452;
const BRANCH = 'live-us';
/** Factor from display units to the file. */
const SCALES: Readonly<Record<string, number>> = { 'Critical Hit': 10 };
const OTHER_NAMES: Readonly<Record<string, string>> = { Energy: 'Maximum Energy' };

function statId(name: string): number {
  const stat = STATS.find(({ label }) => label === (OTHER_NAMES[name] ?? name));
  if (!stat) throw new Error(`no stat ${name}`);
  return stat.id;
}

/** The file of a class whose levels add up to its stats: everything is gained at level 1, except Physical Damage at level 30. */
function fileOf(techName: string, physicalDamage: number): Uint8Array<ArrayBuffer> {
  const entry = classByTechName(techName);
  if (!entry) throw new Error('no class');
  const rows: ClassRow[] = entry.stats.flatMap(({ name, value }): ClassRow[] => {
    const start = START_SHEET[name] ?? 0;
    if (name === 'Physical Damage' || value === start) return [];
    if (value === null) return [[statId(name), MULTIPLY, 0]];
    if (name.endsWith(' %')) return [[statId(name.slice(0, -2)), SUM, (value - start) / 100]];
    return [[statId(name), ADD, (value - start) * (SCALES[name] ?? 1)]];
  });
  for (const { name, value } of entry.bonuses) if (value !== 0) rows.push([statId(name), MULTIPLY, 1 + value / 100]);
  return encodeClass({ 1: rows, 30: [[statId('Physical Damage'), ADD, physicalDamage - (START_SHEET['Physical Damage'] ?? 0)]] });
}

const physicalDamageOf = (techName: string) => classByTechName(techName)?.stats.find(({ name }) => name === 'Physical Damage')?.value ?? 0;

const doubleOf = (value: number) => fixed(new BigUint64Array(Float64Array.of(value).buffer)[0]);

interface ClassBody {
  levels?: Record<string, unknown[]>;
  abilities: { prefab: string | null; energy?: number; cooldown?: number; healing?: unknown; stages: unknown }[];
}

const levelsOf = async (techName: string) => (await classOf(techName)).levels;

async function classOf(techName: string): Promise<ClassBody> {
  // An isolate that has cached nothing.
  const settings = fixedSettings(ALL_ON);
  const fetch = appFetch(createApp({ ...composeApp(env), settings }));
  const { status, text } = await call(`/v1/stats/classes/${techName}`, { authorization: bearer(await createSuperuserToken()) }, fetch);
  expect(status, text).toBe(200);
  return JSON.parse(text);
}

describe('levels of classes', () => {
  beforeAll(async () => {
    await storeBranch(
      BRANCH,
      1,
      new Map([
        ['prefabs/class/knight.binfab', fileOf('knight', physicalDamageOf('knight'))],
        [
          'prefabs/abilities/knight/smash.binfab',
          encodeBinfab(
            entity(
              component(54, {}, { 5: int(20), 23: doubleOf(1.5) }),
              component(235, {}, { 9: object({ 1: float(0.25), 2: int(0), 3: float(0), 5: text(''), 6: text('') }) }),
            ),
          ),
        ],
        ['prefabs/abilities/knight/shield_heal.binfab', encodeBinfab(entity(component(135, {}, {})))],
        ['prefabs/class/gunslinger.binfab', fileOf('gunslinger', physicalDamageOf('gunslinger') + 1)],
      ]),
    );
    await indexBranch(BRANCH, NOW);
  }, 60_000);

  it('are shown once the files of the live branch are indexed', async () => {
    const levels = await levelsOf('knight');
    expect(Object.keys(levels ?? {})).toHaveLength(30);
    const gained = physicalDamageOf('knight') - 100;
    expect(levels?.[30]).toEqual([{ name: 'Physical Damage', value: gained, percentage: false, absolute: false }]);
  });

  it('come with energy and cooldown of the abilities whose prefab tells them', async () => {
    const { abilities } = await classOf('knight');
    const costs = abilities.map(({ prefab, energy, cooldown }) => [prefab, energy, cooldown]);
    expect(costs).toContainEqual(['abilities/knight/smash', 20, 1.5]);
    expect(costs).toContainEqual(['abilities/knight/shield_heal', undefined, 0]);
    expect(costs.filter(([, energy, cooldown]) => energy === undefined && cooldown === undefined)).toHaveLength(costs.length - 2);
  });

  it('come with what the files of an ability restore, and with the files of its hits', async () => {
    const { abilities } = await classOf('knight');
    const prefab = 'abilities/knight/smash';
    expect(abilities.find((ability) => ability.prefab === prefab)).toMatchObject({
      healing: [{ prefab, health: 0, max_health_percent: 25, energy: 0, max_energy_percent: 0 }],
      stages: [{ name: 'Smash', base: 10, multiplier: 8.5, prefab }],
    });
  });

  it('are absent for a class whose levels do not add up, and for one without a file', async () => {
    expect([await levelsOf('gunslinger'), await levelsOf('icemage')]).toEqual([undefined, undefined]);
  });

  it('are stored for a version that an older parser indexed', async () => {
    await env.ARCHIVE.delete('class-figures.json');
    expect(await levelsOf('knight')).toBeUndefined();
    await env.DB.prepare('UPDATE codex_branches SET parser_version = ? WHERE branch = ?')
      .bind(PARSER_VERSION - 1, BRANCH)
      .run();
    await indexBranch(BRANCH, NOW + 1);
    expect(Object.keys((await levelsOf('knight')) ?? {})).toHaveLength(30);
  });
});
