import { z } from '@hono/zod-openapi';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';

const StatSourceBody = z
  .object({
    name: z.string().openapi({ description: 'Name of the source.', example: 'Ally' }),
    value: z.number().openapi({ description: 'Maximum amount, in display units of the game.', example: 450 }),
    type: namedEnum('StatSourceType', 'Kind of source.', ['slider', 'switch']).openapi({
      description: '`slider`: any amount up to `value`; `switch`: all or nothing.',
      example: 'slider',
    }),
    percentage: z.boolean().openapi({ description: 'Whether the game shows the value as a percentage.', example: false }),
    step: z.number().nullable().openapi({ description: 'Step of a slider; null for switches and if unknown.', example: 10 }),
    permanent: z
      .boolean()
      .nullable()
      .openapi({ description: 'Whether the source is permanent; known for Light only, otherwise null.', example: true }),
  })
  .openapi('StatSource', { description: 'One source of a stat.' });

export const StatTableBody = z
  .object({
    stat: namedEnum('StatTableName', 'Stat of a table.', ['power-rank', 'magic-find', 'light']).openapi({
      description: 'Last segment of the path.',
      example: 'light',
    }),
    label: z.string().openapi({ description: 'Name of the stat.', example: 'Light' }),
    sources: z.array(StatSourceBody).readonly().openapi({ description: 'All sources, in the order of the game.' }),
    count: z.number().int().openapi({ description: 'Number of sources.', example: 18 }),
  })
  .openapi('StatTable', { description: 'All sources of a stat, without totals.' });
