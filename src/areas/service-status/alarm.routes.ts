import { z } from '@hono/zod-openapi';
import { adminAccess } from '../../platform/access/policy/policy.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import type { Alarm } from './alarm.service.ts';

const AlarmTestBody = z
  .object({
    delivered: z.boolean().openapi({ description: 'Whether the chat accepted the message.', example: true }),
    reason: z.string().nullable().openapi({ description: 'Why not, or null.', example: null }),
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
    description: 'Posts a test message to the chat webhook of the setting `alarm.chat_webhook`.',
    ok: { description: 'Result of the test.', schema: AlarmTestBody },
  }).handle(async ({ settings }) => {
    const url = settings.alarmChatWebhook;
    if (url === '') return json({ delivered: false, reason: 'the setting alarm.chat_webhook is empty' });
    const { reason } = await alarm.test(url);
    return json({ delivered: reason === null, reason });
  });
}
