import { z } from '@hono/zod-openapi';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';

const StatSourceBody = z
  .object({
    name: z.string().openapi({ description: 'Where the stat comes from.', example: 'Ally' }),
    value: z.number().openapi({ description: 'The most it gives, in the units the game shows.', example: 450 }),
    type: namedEnum('StatSourceType', 'Kind of source.', ['slider', 'switch']).openapi({
      description: 'A slider gives any amount up to `value`, a switch all or nothing.',
      example: 'slider',
    }),
    percentage: z.boolean().openapi({ description: 'Whether the game shows it as a percentage.', example: false }),
    step: z.number().nullable().openapi({ description: 'Grain of a slider; null for switches, and where it is not known.', example: 10 }),
    permanent: z
      .boolean()
      .nullable()
      .openapi({ description: 'Whether it stays on without upkeep; known for Light only, else null.', example: true }),
  })
  .openapi('StatSource', { description: 'One source of a stat.' });

export const StatTableBody = z
  .object({
    stat: namedEnum('StatTableName', 'Stat that a table is about.', ['power-rank', 'magic-find', 'light']).openapi({
      description: 'Last segment of the path.',
      example: 'light',
    }),
    label: z.string().openapi({ description: 'Name of the stat.', example: 'Light' }),
    sources: z.array(StatSourceBody).readonly().openapi({ description: 'Every source, in the order the game lists them.' }),
    count: z.number().int().openapi({ description: 'Number of sources.', example: 18 }),
  })
  .openapi('StatTable', { description: 'Everything a stat can come from; nothing is added up.' });
