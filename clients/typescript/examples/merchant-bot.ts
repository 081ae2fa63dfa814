/**
 * A bot that posts to a chat when a merchant arrives or leaves.
 *
 *   GAME_DATA_URL=https://api.example.com WEBHOOK_URL=https://discord.com/api/webhooks/… node examples/merchant-bot.ts
 *
 * Environment: GAME_DATA_URL (default http://127.0.0.1:8787), GAME_DATA_TOKEN (optional), WEBHOOK_URL (absent: messages are printed).
 * `--once` posts the current state and exits.
 */
import { createClient, type ResumableEvent, type Schema } from 'game-data-api';

const { GAME_DATA_URL = 'http://127.0.0.1:8787', GAME_DATA_TOKEN, WEBHOOK_URL } = process.env;
/** Timeout of a request to the chat, and attempts per message. */
const POST_TIMEOUT_MS = 10_000;
const MAX_TRIES = 5;

const api = createClient({
  baseUrl: GAME_DATA_URL,
  userAgent: 'merchant-bot/1.0',
  ...(GAME_DATA_TOKEN ? { token: GAME_DATA_TOKEN } : {}),
});
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

type Merchants = Schema<'Corruxion'> | Schema<'Fluxion'>;

/** A timestamp that the chat displays in each reader's time zone. */
const at = (unix: number) => `<t:${unix}:f> (<t:${unix}:R>)`;

function textOf(name: string, merchant: Merchants): string {
  if (!merchant.active) return `**${name}** is away until ${at(merchant.starts_at)}.`;
  const doing = 'state' in merchant && merchant.state === 'voting' ? 'is open for votes' : 'is here';
  return `**${name}** ${doing} until ${at(merchant.ends_at)}.`;
}

/** Posts a message, with retries. */
async function post(content: string): Promise<void> {
  if (!WEBHOOK_URL) {
    console.log(content);
    return;
  }
  for (let tried = 1; tried <= MAX_TRIES; tried += 1) {
    try {
      const response = await fetch(WEBHOOK_URL, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ content, allowed_mentions: { parse: [] } }),
        signal: AbortSignal.any([stop.signal, AbortSignal.timeout(POST_TIMEOUT_MS)]),
      });
      if (response.ok) return;
      console.error(`the chat responded with ${response.status}`);
      if (response.status < 500 && response.status !== 429) return;
    } catch (error) {
      if (stop.signal.aborted) return;
      console.error('the chat cannot be reached', error);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** tried));
  }
}

/** Message about an event; null if the merchant's state did not change. */
const posted = new Map<string, string>();
function newsOf(event: ResumableEvent): string | null {
  if (event.type !== 'corruxion' && event.type !== 'fluxion') return null;
  const name = event.type === 'corruxion' ? 'Corruxion' : 'Fluxion';
  const { active, starts_at: startsAt } = event.data;
  const state = `${active} ${startsAt}`;
  if (posted.get(name) === state) return null;
  posted.set(name, state);
  return textOf(name, event.data);
}

if (process.argv.includes('--once')) {
  const [corruxion, fluxion] = await Promise.all([api.GET('/v1/rotations/corruxion'), api.GET('/v1/rotations/fluxion')]);
  if (!corruxion.data || !fluxion.data) {
    const { code, message } = (corruxion.error ?? fluxion.error)?.error ?? { code: 'unknown', message: 'no body' };
    console.error(`${code}: ${message}`);
    process.exit(1);
  }
  await post(textOf('Corruxion', corruxion.data));
  await post(textOf('Fluxion', fluxion.data));
} else {
  // The first two events are the current state; further events are arrivals and departures.
  for await (const event of api.events({ types: ['corruxion', 'fluxion'], signal: stop.signal })) {
    const news = newsOf(event);
    if (news !== null) await post(news);
  }
}
