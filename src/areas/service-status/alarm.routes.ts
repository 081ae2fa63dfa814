import { z } from '@hono/zod-openapi';
import { adminAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import type { Alarm } from './alarm.service.ts';

const AlarmTestBody = z
  .object({
    channels: z
      .array(
        z
          .object({
            channel: z.enum(['chat', 'webhook']).openapi({ description: 'The channel.', example: 'chat' }),
            delivered: z.boolean().openapi({ description: 'Whether it accepted the message.', example: true }),
            reason: z.string().nullable().openapi({ description: 'Why not, or null.', example: null }),
          })
          .openapi('AlarmChannel'),
      )
      .openapi({ description: 'The channels whose settings are not empty.' }),
  })
  .openapi('AlarmTest');

/** The test of the alarm. */
export function createAlarmEndpoint(alarm: Pick<Alarm, 'test'>): Endpoint {
  return defineRoute({
    tag: 'Administration',
    surface: 'portal',
    hidden: true,
    access: adminAccess,
    method: 'post',
    path: '/admin/alarm/test',
    operationId: 'testAlarm',
    summary: 'Test the alarm',
    description:
      'Sends a test message to the chat webhook of the setting `alarm.chat_webhook` and to the signed webhook of `alarm.webhook_url`.',
    ok: { description: 'Result of the test.', schema: AlarmTestBody },
  }).handle(async ({ settings, now }) => {
    const results = await alarm.test(settings, now);
    return json({ channels: results.map(({ channel, reason }) => ({ channel, delivered: reason === null, reason })) });
  });
}
