import { env } from 'cloudflare:workers';
import type { BatchItem } from 'drizzle-orm/batch';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { beforeEach, expect, it, vi } from 'vitest';
import { statusSegments, statusSnapshot } from '../../../../src/areas/game-status/game-status.tables.ts';
import { webhookDeliveries, webhookJobs, webhookLastFacts, webhookLog } from '../../../../src/areas/webhooks/records/webhooks.tables.ts';
import { outbox } from '../../../../src/platform/durable/outbox.tables.ts';
import { createOutbox } from '../../../../src/platform/durable/outbox.ts';
import { createDatabase } from '../../../../src/platform/storage/database.ts';
import { FIRST_INSTANT } from '../../../support/requests.ts';
import { type Game, gameServers, gameStatusArea } from '../../game-status/game-servers.ts';
import { registerSigned } from '../signed/signed-world.ts';
import { clearWebhooks, db, eventQueue, register, stoppedClock } from '../world.ts';

const MINUTE = 60;
/** Round at which the outage is as long as the webhooks wait. */
const CROSSING = 3;
const ROUNDS = 5;
const CONDITIONS = [{ event: 'server_down' as const, match: 'server', values: ['eu'], limit: 3 }];

interface Kill {
  /** Number of the access to the database at which the isolate ends. */
  at: number;
  /** Whether the access still happens. */
  isDone: boolean;
}

/** A database whose isolate ends at an access: this one and all later ones fail. */
function endingDatabase({ at, isDone }: Kill) {
  let accesses = 0;
  const guarded = async (access: () => Promise<unknown>): Promise<unknown> => {
    accesses += 1;
    if (accesses === at && isDone) await access();
    if (accesses >= at) throw new Error('the isolate has ended');
    return access();
  };
  type Guarded = { inner: D1PreparedStatement };
  const prepare = (inner: D1PreparedStatement): object => ({
    inner,
    bind: (...values: unknown[]) => prepare(inner.bind(...values)),
    run: () => guarded(() => inner.run()),
    all: () => guarded(() => inner.all()),
    raw: () => guarded(() => inner.raw()),
    first: () => guarded(() => inner.first()),
  });
  const database = {
    prepare: (text: string) => prepare(env.DB.prepare(text)),
    batch: (statements: Guarded[]) => guarded(() => env.DB.batch(statements.map(({ inner }) => inner))),
  };
  return { database: createDatabase(database as unknown as D1Database), accesses: () => accesses };
}

/** The probes and the queue of the webhooks of one isolate. Its clock is that of the round: what a dead isolate leased is free in the next. */
function isolate(now: number, database: typeof db) {
  const queue = eventQueue(stoppedClock().nowMs, {}, [], {}, database);
  return gameStatusArea({
    db: database,
    publicReads: database,
    outbox: createOutbox(database, () => now),
    ports: { webhookTrigger: queue.trigger },
  });
}

/** Tables that the rounds write. */
const WRITTEN = [statusSegments, statusSnapshot, outbox, webhookLog, webhookLastFacts, webhookJobs, webhookDeliveries] as const;

const emptyAll = () => [db.delete(statusSegments), ...WRITTEN.slice(1).map((table) => db.delete(table))] as const;

/** Statements that insert the present rows of a table again. */
async function insertionsOf(table: SQLiteTable): Promise<BatchItem<'sqlite'>[]> {
  return (await db.select().from(table)).map((row) => db.insert(table).values(row));
}

async function runRounds(game: Game, first: number, last: number, databaseOf: (round: number) => typeof db = () => db): Promise<void> {
  const settings = { ...game.settings, gameStatusUsHost: '', gameStatusPtsHost: '' };
  for (let round = first; round <= last; round += 1) {
    const now = FIRST_INSTANT + round * MINUTE;
    const { probe } = isolate(now, databaseOf(round));
    await probe(settings, now, true).catch(() => {});
  }
}

/** Runs the rounds before the crossing one. They are the same for each kill, so `restore` puts the database back to their end. */
async function startOutage(game: Game) {
  await db.batch(emptyAll());
  await clearWebhooks();
  const wanted = [
    (await register({ events: ['server_down'], conditions: CONDITIONS })).id,
    (await registerSigned({ events: ['server_down'], conditions: CONDITIONS })).id,
  ];
  await runRounds(game, 0, CROSSING - 1);
  expect(await queuedFor()).toEqual([]);
  const insertions = (await Promise.all(WRITTEN.map(insertionsOf))).flat();
  return { wanted: wanted.sort(), restore: () => db.batch([...emptyAll(), ...insertions]) };
}

/** Webhooks that a delivery is queued for, besides the tests of their registration. */
async function queuedFor(): Promise<string[]> {
  const rows = await db.select().from(webhookDeliveries);
  return rows.filter(({ jobKey }) => !jobKey.startsWith('test_')).map(({ webhookId }) => webhookId);
}

/** Webhooks that an outage of five minutes is queued for, when the isolate of the crossing round ends as told. */
async function receivers(game: Game, kill: Kill) {
  const { database, accesses } = endingDatabase(kill);
  await runRounds(game, CROSSING, ROUNDS, (round) => (round === CROSSING ? database : db));
  return { queued: (await queuedFor()).sort(), accesses: accesses() };
}

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
});

it('an outage that lasts is queued once for each webhook, whenever an isolate ends', async () => {
  const game = await gameServers();
  await game.socketsBehave({ eu: 'refused' });
  const { wanted, restore } = await startOutage(game);
  const whole = await receivers(game, { at: Number.POSITIVE_INFINITY, isDone: true });
  expect(whole.queued).toEqual(wanted);
  expect(whole.accesses).toBeGreaterThan(4);
  for (const isDone of [false, true]) {
    for (let at = 1; at <= whole.accesses; at += 1) {
      await restore();
      const { queued } = await receivers(game, { at, isDone });
      expect(queued, `access ${at}, ${isDone ? 'done' : 'not done'}`).toEqual(wanted);
    }
  }
});
