import type { IncomingMessage, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { runMain, UserError } from '../../scripts/lib/main.ts';
import { type KillableServer, killServer, pause, signIn, startKillable, textOf, withReceiver } from './killable-server.ts';
import { OUTAGE_LIMITS, startOutages } from './outages.ts';

const KILLS = Number(process.env.KILLS ?? 20);
/** Number of webhooks, and of test events per webhook and round. */
const WEBHOOKS = 3;
const TESTS = 10;
/** Latest kill after the first request of a round, in milliseconds. */
const LATEST_KILL = Number(process.env.LATEST_KILL ?? 2500);
/** Maximum delay of the endpoint in milliseconds, and the share of requests that it fails. */
const SLOWEST = 150;
const FAILING = 0.1;
/** Timeout of the last round. The lease of an interrupted attempt is 30 s. */
const SETTLE_TIMEOUT_MS = 180_000;
const HOUR = 3600;
/** Clock of the first challenge; each further one is an hour later and so a new event. */
const FIRST_HOUR = Math.floor(Date.now() / 1000 / HOUR) * HOUR + 10;
/** Seconds between market dumps, each with a new listing of an item. */
const DUMP_SECONDS = 60;
/** Time of the market dump of a round. */
const dumpTime = (round: number) => FIRST_HOUR + round * DUMP_SECONDS;
const ITEM = 'Sun Sap';
const PRICE = 100;
/** Price limits of the webhooks. The last one never receives a listing. */
const LIMITS = [PRICE, PRICE + 50, PRICE - 1];
/** Clock of the first round of probes. */
const FIRST_PROBE = FIRST_HOUR + 2 * HOUR;

/** Deliveries received by a webhook: message ids with counts, the hours of challenges, and message ids by listing and by start of an outage. */
interface Received {
  secret: string;
  messages: Map<string, { times: number; body: string }>;
  challenges: Set<number>;
  listings: Map<string, Set<string>>;
  outages: Map<number, Set<string>>;
  limit: number;
  /** Minutes of an outage that the webhook waits. */
  minutes: number;
}

const received = new Map<string, Received>();
/** Webhooks with a condition that the listings meet. */
const buyers = () => [...received.values()].filter(({ limit }) => limit >= PRICE);
/** Webhooks with a condition that the outages meet. */
const waiting = () => [...received.values()].filter(({ minutes }) => minutes < Math.max(...OUTAGE_LIMITS));
const report = {
  kills: 0,
  tests: 0,
  events: 0,
  listings: 0,
  listingsQueuedTwice: 0,
  unwantedListings: 0,
  outages: 0,
  outagesQueuedTwice: 0,
  unwantedOutages: 0,
  requests: 0,
  failedOnPurpose: 0,
  repeated: 0,
  invalidSignatures: 0,
  changedBodies: 0,
  lost: 0,
};

/**
 * Kills the runtime (SIGKILL) at random instants while signed webhooks are delivered, and restarts it. Every accepted test event and
 * every inserted challenge must reach every webhook, and every inserted listing and every outage those with a condition that it meets,
 * with one id and a valid signature.
 */
await runMain(() =>
  withReceiver('webhooks', receive, async (state, vars) => {
    const outages = await startOutages(state, FIRST_PROBE);
    try {
      const accepted: { webhook: string; message: string }[] = [];
      const inserted: number[] = [];
      const listed: string[] = [];
      let ids: string[] = [];
      for (let round = 0; round <= KILLS; round += 1) {
        const server = await startKillable(state, vars);
        const session = await signIn(server);
        const probes = { url: server.url, session: await signIn(server, outages.now()) };
        if (round === 0) ids = await Promise.all(Array.from({ length: WEBHOOKS }, (_, index) => register(server, session, index)));
        const isKilled = round < KILLS;
        const sending = send(server, session, ids, round);
        const probing = outages.run(probes);
        if (isKilled) {
          await pause(Math.random() * LATEST_KILL);
          await killServer();
          report.kills += 1;
        }
        const sent = await sending;
        await probing;
        if (isKilled) await outages.endLeases();
        accepted.push(...sent.accepted);
        inserted.push(...sent.inserted);
        listed.push(...sent.listed);
        console.log(
          `round ${round}: ${sent.accepted.length} of ${WEBHOOKS * TESTS} test events and ${sent.inserted.length} of 1 challenges and ${sent.listed.length} of 1 listings accepted, ${outages.ended().length} outages ended`,
        );
        if (!isKilled) await outages.queue(probes);
        if (!isKilled) await settle(server, session, [accepted, inserted, listed, outages.ended()]);
      }
      finish(accepted, inserted, listed, outages.ended());
    } finally {
      await outages.stop();
    }
  }),
);

/** Sends a request. Returns the parsed response, or null if the request failed or was interrupted. */
async function request(
  url: string,
  authorization: string | null,
  body?: object | FormData,
  now?: number,
): Promise<Record<string, unknown> | null> {
  const isForm = body instanceof FormData;
  const headers = {
    ...(authorization === null ? {} : { Authorization: `Bearer ${authorization}` }),
    ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
    ...(now === undefined ? {} : { 'X-Test-Now': String(now) }),
  };
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.ok) return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    throw new UserError(`${url}: ${response.status} ${text}`);
  } catch (error) {
    if (error instanceof UserError) throw error;
    return null;
  }
}

async function required(...given: Parameters<typeof request>): Promise<Record<string, unknown>> {
  const response = await request(...given);
  if (!response) throw new UserError(`${given[0]} did not respond`);
  return response;
}

async function register({ url }: KillableServer, session: string, index: number): Promise<string> {
  const target = `https://hooks.example.com/${index}`;
  const limit = LIMITS[index] ?? PRICE;
  const minutes = OUTAGE_LIMITS[index] ?? 1;
  const conditions = [
    { event: 'challenge', match: 'type', values: ['racing', 'rampage'] },
    { event: 'market_price', match: 'item', values: [ITEM], limit },
    { event: 'server_down', match: 'server', values: ['eu'], limit: minutes },
  ];
  const body = { url: target, events: ['challenge', 'market_price', 'server_down'], conditions };
  const { id, secret } = await required(`${url}/v1/webhooks/signed`, session, body);
  received.set(`/hooks.example.com/${index}`, {
    secret: String(secret),
    messages: new Map(),
    challenges: new Set(),
    listings: new Map(),
    outages: new Map(),
    limit,
    minutes,
  });
  return String(id);
}

/** Sends test events and inserts a challenge and a listing in parallel. Returns those accepted before a kill. */
async function send({ url, tokens }: KillableServer, session: string, ids: readonly string[], round: number) {
  const accepted: { webhook: string; message: string }[] = [];
  const inserted: number[] = [];
  const listed: string[] = [];
  const now = FIRST_HOUR + round * HOUR;
  const test = async (id: string, index: number) => {
    const delivery = await request(`${url}/v1/webhooks/signed/${id}/test`, session);
    if (delivery) accepted.push({ webhook: `/hooks.example.com/${index}`, message: String(delivery.message_id) });
  };
  const insert = async () => {
    const capture = await request(`${url}/v1/rotations/challenge/insert`, tokens[0] ?? null, { name: 'Racing Challenge' }, now);
    if (capture) inserted.push(Number(capture.anchor));
  };
  const list = async () => {
    const id = `5f0f8e80-6a1c-11ef-9a3e-${String(round).padStart(12, '0')}`;
    const form = new FormData();
    form.append('file', new File([`${id};${ITEM};Crafting;1;${PRICE}\n`], 'market.cfg'));
    if (await request(`${url}/v1/market/insert`, tokens[0] ?? null, form, dumpTime(round))) listed.push(id);
  };
  await Promise.all([insert(), list(), ...ids.flatMap((id, index) => Array.from({ length: TESTS }, () => test(id, index)))]);
  return { accepted, inserted, listed };
}

function missing(
  accepted: readonly { webhook: string; message: string }[],
  inserted: readonly number[],
  listed: readonly string[],
  ended: readonly number[],
): string[] {
  return [
    ...waiting().flatMap(({ outages }) => ended.filter((start) => !outages.has(start)).map((start) => `outage of ${start}`)),
    ...buyers().flatMap(({ listings }) => listed.filter((id) => !listings.has(id))),
    ...accepted.filter(({ webhook, message }) => !received.get(webhook)?.messages.has(message)).map(({ message }) => message),
    ...[...received.values()].flatMap(({ challenges }) => inserted.filter((hour) => !challenges.has(hour)).map(String)),
  ];
}

/** Runs the delivery job until all expected deliveries have arrived or the timeout expires. */
async function settle({ url }: KillableServer, session: string, expected: Parameters<typeof missing>): Promise<void> {
  const until = Date.now() + SETTLE_TIMEOUT_MS;
  while (missing(...expected).length > 0 && Date.now() < until) {
    await request(`${url}/admin/jobs/market-prices/run`, session, undefined, dumpTime(KILLS));
    await request(`${url}/admin/jobs/webhooks-deliver/run`, session);
    await pause(2000);
  }
}

function finish(...expected: Parameters<typeof missing>): void {
  const lost = missing(...expected);
  const all = [...received.values()].flatMap(({ messages }) => [...messages.values()]);
  const [tests, events, listed, ended] = expected;
  Object.assign(report, { tests: tests.length, events: events.length * WEBHOOKS, lost: lost.length });
  report.listings = listed.length * buyers().length;
  const listings = [...received.values()].flatMap(({ listings: byId }) => [...byId.values()]);
  report.listingsQueuedTwice = listings.filter((ids) => ids.size > 1).length;
  report.unwantedListings = [...received.values()].filter(({ limit, listings: byId }) => limit < PRICE && byId.size > 0).length;
  report.outages = ended.length * waiting().length;
  const outages = [...received.values()].flatMap(({ outages: byStart }) => [...byStart.values()]);
  report.outagesQueuedTwice = outages.filter((ids) => ids.size > 1).length;
  report.unwantedOutages = [...received.values()].filter((webhook) => !waiting().includes(webhook) && webhook.outages.size > 0).length;
  report.repeated = all.filter(({ times }) => times > 1).length;
  console.log(JSON.stringify(report));
  for (const one of lost) console.error(`  lost: ${one}`);
  const { invalidSignatures, changedBodies, listingsQueuedTwice, unwantedListings, outagesQueuedTwice, unwantedOutages } = report;
  const faults = [invalidSignatures, changedBodies, listingsQueuedTwice, unwantedListings, outagesQueuedTwice, unwantedOutages];
  if (ended.length === 0) console.error('  no outage has ended: the rounds of probes did not run');
  if (lost.length > 0 || ended.length === 0 || faults.some((count) => count > 0)) process.exitCode = 1;
}

async function receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = await textOf(incoming);
  report.requests += 1;
  await pause(Math.random() * SLOWEST);
  const isFailing = Math.random() < FAILING;
  if (isFailing) report.failedOnPurpose += 1;
  else note(incoming, body);
  outgoing.writeHead(isFailing ? 500 : 204).end();
}

function note({ url = '', headers }: IncomingMessage, body: string): void {
  const webhook = received.get(url);
  if (!webhook) return;
  try {
    const { data } = new Webhook(webhook.secret).verify(body, headers as Record<string, string>) as {
      data: { starts_at?: number; listing_id?: string; down_since?: number };
    };
    const id = String(headers['webhook-id']);
    const known = webhook.messages.get(id) ?? { times: 0, body };
    if (known.body !== body) report.changedBodies += 1;
    webhook.messages.set(id, { ...known, times: known.times + 1 });
    if (data.starts_at !== undefined) webhook.challenges.add(data.starts_at);
    if (data.listing_id !== undefined) addId(webhook.listings, data.listing_id, id);
    if (data.down_since !== undefined) addId(webhook.outages, data.down_since, id);
  } catch {
    report.invalidSignatures += 1;
  }
}

function addId<Key>(ids: Map<Key, Set<string>>, key: Key, id: string): void {
  ids.set(key, (ids.get(key) ?? new Set()).add(id));
}
