import { z } from '@hono/zod-openapi';
import { nameList } from '../../platform/http/pipeline/query-schemas.ts';
import { EVENT_TYPES } from './events.data.ts';
import { type ResumePoint, resumePointOf } from './framing.domain.ts';

export const StreamQuery = z.object({
  types: nameList(EVENT_TYPES, {
    description: `Comma-separated types to receive, in the snapshot and live; all when absent. Types: ${EVENT_TYPES.join(', ')}.`,
    example: 'challenge,chaos',
  }).optional(),
  since: z
    .string()
    .transform((text, context): ResumePoint => {
      const point = resumePointOf(text);
      if (point) return point;
      context.addIssue({ code: 'custom', message: 'must be an event id or unix seconds', params: { type: 'invalid_format' } });
      return z.NEVER;
    })
    .optional()
    .openapi({
      type: 'string',
      pattern: '^\\d{1,15}$',
      description:
        'Replay what was missed: the id of the last event received, or unix seconds (10 digits). For clients that cannot set `Last-Event-ID`, which wins over it.',
      example: '1773156600',
    }),
});
