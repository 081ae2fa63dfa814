import { z } from '@hono/zod-openapi';
import { defineTool, numberText } from './tool.domain.ts';

const CALCULATE = '/v1/gems/builds/calculate';
const EVALUATE = '/v1/gems/evaluate';
const MAX_BUILDS = 10;

interface Builds {
  results: { rank: number; layout: string; light: number; total_dmg: number; crit_dmg: number; coefficient: number }[];
}

export const buildTool = defineTool({
  name: 'optimize_build',
  title: 'Optimise a gem build',
  description:
    'Finds the best boost distributions of a full gem set for a class, strongest first. Classes are display names, such as "Shadow Hunter"; GET /v1/gems/builds/options lists all values. Requires a token with the scope gems:read.',
  input: z.object({
    build_type: z.enum(['Light', 'Farm', 'Health']).default('Light').describe('Light and Farm sort by damage, Health by health.'),
    character: z.string().max(40).describe('Display name of the class.'),
    subclass: z.string().max(40).optional().describe('Display name of the class whose subclass is used.'),
    ally: z.string().max(60).optional().describe('Key of the ally, such as boot_clown.'),
    food: z.string().max(60).optional().describe('Key of the food, such as zephyr_rune.'),
    light: z.number().int().min(0).max(1_000_000).optional().describe('Target light.'),
    critical_damage_count: z
      .number()
      .int()
      .min(0)
      .max(3)
      .optional()
      .describe('Number of items among weapon, hat and face with Critical Damage.'),
    subclass_active: z.boolean().optional().describe('Whether the subclass ability is active.'),
    star_chart: z.string().max(2000).optional().describe('Star chart code.'),
    limit: z.number().int().min(1).max(MAX_BUILDS).default(5).describe('Maximum number of builds.'),
  }),
  endpoints: [`POST ${CALCULATE}`],
  async run({ limit, ...config }, { read }) {
    const { results } = await read<Builds>(CALCULATE, { body: config });
    return {
      lines: [
        `${config.build_type} build for ${config.character}, boosts as empowered damage/crit, lesser damage/crit:`,
        ...results
          .slice(0, limit)
          .map(
            (build) =>
              `${build.rank}. ${build.layout}: coefficient ${numberText(build.coefficient)}, Light ${numberText(build.light)}, damage ${numberText(build.total_dmg)}, Critical Damage ${numberText(build.crit_dmg)}`,
          ),
      ],
      links: { 'API (POST)': CALCULATE, Options: '/v1/gems/builds/options' },
    };
  },
});

interface Evaluation {
  type_name: string;
  element_name: string;
  level: number;
  quality_percent: number;
  calculated_power_rank: number;
  issues: string[];
  stats: { display_name: string; entered_value: number; quality_percent: number; is_within_range: boolean }[];
  headline_cost: { label: string; superior: number; precise: number; rough: number };
}

export const gemTool = defineTool({
  name: 'evaluate_gem',
  title: 'Evaluate a gem',
  description:
    'Calculates quality and Power Rank of a gem from the values in the game, the position of each stat in its range, and the focuses that maximise the gem. Requires a token with the scope gems:read.',
  input: z.object({
    tier: z.number().int().min(1).max(4).describe('1 Radiant, 2 Stellar, 3 Crystal, 4 Mystic.'),
    type: z.number().int().min(1).max(2).describe('1 Lesser, 2 Empowered.'),
    level: z.number().int().min(1).max(35),
    stats: z
      .array(
        z.object({
          type: z
            .number()
            .int()
            .min(1)
            .max(7)
            .describe('1 Physical Damage, 2 Magic Damage, 3 Critical Damage, 4 Critical Hit, 5 Max Health, 6 Max Health %, 7 Light.'),
          value: z.number().min(0).max(1_000_000_000).describe('Value in the game.'),
          extra_containers: z.number().int().min(0).max(10).optional().describe('Number of boosts of this stat.'),
        }),
      )
      .length(3)
      .describe('The three stats, all different.'),
  }),
  endpoints: [`POST ${EVALUATE}`],
  async run(gem, { read }) {
    const result = await read<Evaluation>(EVALUATE, { body: gem });
    const { label, superior, precise, rough } = result.headline_cost;
    return {
      lines: [
        `${result.element_name} ${result.type_name} gem, level ${result.level}: quality ${result.quality_percent} %, Power Rank ${numberText(result.calculated_power_rank)}.`,
        ...result.stats.map(
          (stat) =>
            `- ${stat.display_name} ${numberText(stat.entered_value)}: ${numberText(stat.quality_percent)} % of its range${stat.is_within_range ? '' : ' (outside it)'}`,
        ),
        `To maximise it (${label}): ${superior} Superior, ${precise} Precise, ${rough} Rough Focus.`,
        ...result.issues.map((issue) => `Issue: ${issue}`),
      ],
      links: { 'API (POST)': EVALUATE },
    };
  },
});
