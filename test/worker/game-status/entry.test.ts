import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingName } from '../../../src/platform/settings/settings.data.ts';
import { createSettingsStore } from '../../../src/platform/settings/settings.store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { SETTINGS } from '../../support/declarations.ts';
import { eventually } from '../../support/eventually.ts';
import { bearer, call, FIRST_INSTANT, fetchWorker, ORIGIN } from '../../support/requests.ts';
import { createSuperuserToken } from '../../support/tokens.ts';
import { type Game, gameServers, SAFE_HOLD_SECONDS } from './game-servers.ts';

const MINUTE = 60;

let game: Game;
let authorization: string;

/** Configures the service for the game stubs with settings, as an administrator does. */
beforeAll(async () => {
  game = await gameServers(SAFE_HOLD_SECONDS);
  authorization = bearer(await createSuperuserToken());
  const repository = createSettingsStore(createDatabase(env.DB), SETTINGS);
  for (const name of Object.keys(game.settings) as SettingName[]) {
    const value = game.settings[name];
    if (name.startsWith('gameStatus') && value !== SETTINGS.all[name].default) {
      await repository.set({ key: SETTINGS.all[name].key, value, now: FIRST_INSTANT, userId: null });
    }
  }
});

/** An open event stream. */
async function openStream() {
  const response = await fetchWorker(new Request(`${ORIGIN}/v1/events/stream?types=server_status`));
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next(): Promise<{ overall: string; checked_at: number }> {
      for (;;) {
        const match = /data: (\{.*\})\n\n/.exec(text);
        if (match) {
          text = text.slice(match.index + match[0].length);
          return JSON.parse(match[1] ?? '').data;
        }
        const read = await reader?.read();
        if (!read || read.done) throw new Error(`the stream ended: ${text}`);
        text += read.value;
      }
    },
    close: () => reader?.cancel(),
  };
}

/** Runs the job and waits for its effects. */
async function probeAt(now: number): Promise<void> {
  const { status } = await call('/admin/jobs/game-status/run', { method: 'POST', authorization, now });
  expect(status).toBe(202);
  const ended = await eventually(async () => {
    const { text } = await call('/admin/jobs', { authorization, now });
    const job = (JSON.parse(text).items as { name: string; state: string; last_error: string | null }[]).find(
      ({ name }) => name === 'game-status',
    );
    return job?.state === 'idle' ? job : false;
  });
  expect(ended.last_error).toBeNull();
}

describe('game status end to end', () => {
  it('publishes each status change in status, history and event stream', async () => {
    const start = FIRST_INSTANT;
    await probeAt(start);
    const stream = await openStream();
    expect(await stream.next()).toMatchObject({ overall: 'online', checked_at: start });

    const changes: [string, (servers: Game) => Promise<void>][] = [
      ['maintenance', (servers) => servers.socketsBehave({ eu: 'dropped', us: 'dropped' })],
      ['down', (servers) => servers.authBehaves('bare')],
      [
        'online',
        (servers) => Promise.all([servers.authBehaves('header'), servers.socketsBehave({ eu: 'floods', us: 'floods' })]).then(() => {}),
      ],
    ];
    for (const [index, [overall, change]] of changes.entries()) {
      const now = start + (index + 1) * MINUTE;
      await change(game);
      await probeAt(now);
      const event = await stream.next();
      expect(event).toMatchObject({ overall, checked_at: now });
      const { text } = await call('/v1/misc/game-status', { now });
      expect(JSON.parse(text)).toEqual(event);
    }
    await stream.close();

    const { text } = await call('/v1/misc/game-status/history?days=1', { now: start + 4 * MINUTE });
    const { segments } = JSON.parse(text) as { segments: { status: string; duration_seconds: number }[] };
    expect(segments.map(({ status, duration_seconds }) => [status, duration_seconds])).toEqual([
      ['online', 60],
      ['maintenance', 60],
      ['down', 60],
      ['online', 60],
    ]);
  });
});
