import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { createAccountsStore } from '../../src/areas/accounts/accounts.store.ts';
import { createMailLinks } from '../../src/areas/accounts/mail-links.service.ts';
import { SECOND_FACTOR_VAULT } from '../../src/areas/accounts/second-factor.service.ts';
import { createSuspensionsStore } from '../../src/areas/accounts/suspensions.store.ts';
import { codeOfStep, stepAt, TOTP_SECRET_BYTES, toBase32 } from '../../src/areas/accounts/totp.domain.ts';
import { createReportsStore } from '../../src/areas/content-reports/reports.store.ts';
import { giveaways } from '../../src/areas/giveaways/giveaways.tables.ts';
import { BACKFILL_KEYS } from '../../src/areas/leaderboards/captures/backfill.store.ts';
import { createRawDumps } from '../../src/areas/leaderboards/ingest/raw-dumps.store.ts';
import { boardCaptures } from '../../src/areas/leaderboards/leaderboards.tables.ts';
import { marketState } from '../../src/areas/market/market.tables.ts';
import { interestItems, supporters } from '../../src/areas/misc/misc.tables.ts';
import { blankDetails } from '../../src/areas/mods-catalog/insert/insert.domain.ts';
import { EXAMPLE_ARTIFACT } from '../../src/areas/mods-catalog/insert/insert.schemas.ts';
import { createModWrites } from '../../src/areas/mods-catalog/records/mod-writes.store.ts';
import { parseAnnouncements } from '../../src/areas/service-status/announcements.domain.ts';
import { createDesignsStore } from '../../src/areas/webhooks/designs/designs.store.ts';
import { webhookDeliveries } from '../../src/areas/webhooks/records/webhooks.tables.ts';
import { recoveryCodes, secondFactors } from '../../src/platform/access/sessions/second-factor.tables.ts';
import { createSignedClaims } from '../../src/platform/access/sessions/sessions.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { encodeCursor } from '../../src/platform/http/replies/page.ts';
import { sha256Of } from '../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { createVault } from '../../src/platform/storage/vault.ts';
import { FULL_DOCUMENT, operationOf } from '../support/documents.ts';
import { imageForm } from '../support/image-forms.ts';
import { PASSWORD, PASSWORD_HASH } from '../support/passwords.ts';
import { FIRST_INSTANT, nextInstant } from '../support/requests.ts';
import { type SampleOverrides, type SampleRequest, sampleRequest } from '../support/samples.ts';
import { EXAMPLE_REPORT } from '../support/scanning-partner.ts';
import { createSession, FAR_AWAY } from '../support/sessions.ts';
import { EXAMPLE_HEX, fromHex } from '../support/tmod.ts';
import { createAccount, createToken, readToken } from '../support/tokens.ts';
import { log, registerSigned } from '../worker/webhooks/signed/signed-world.ts';
import { register, repository as webhookRows } from '../worker/webhooks/world.ts';
import { accountOfSession } from './credentials.ts';
import { PROJECT_INPUTS } from './project-inputs.ts';
import { SEEDED_CURSORS, seedMarket } from './seeds.ts';

let names = 0;

/** An unused name. */
function newName(): string {
  names += 1;
  return `Name ${names}`;
}

/** A new mod, to hide and publish. */
async function someMod(): Promise<SampleOverrides> {
  const slug = newName().toLowerCase().replace(' ', '-');
  const at = { createdAt: 0, updatedAt: 0 };
  const details = blankDetails(slug, 'Ana');
  const write = { address: { handle: 'ana', slug }, details, ...at, before: null, isApproved: false, release: null, announcement: null };
  await createModWrites(createDatabase(env.DB)).save(write);
  return { parameters: { handle: 'ana', slug } };
}

/** Adds a name to the list, to delete it. */
async function listedName(list: typeof interestItems | typeof supporters): Promise<SampleOverrides> {
  const name = newName();
  await createDatabase(env.DB).insert(list).values({ name });
  return { parameters: { name } };
}

let people = 0;

/** An unused email address. */
function newEmail(): string {
  people += 1;
  return `person${people}@mail.example`;
}

/** A token of the given account, or of a new one. */
async function tokenOf(userId?: string): Promise<SampleOverrides> {
  const secret = await createToken(userId === undefined ? {} : { userId });
  return { parameters: { id: readToken(secret).id } };
}

/** Token of a mail link that is valid at every clock of the tests, for a new account. */
async function linkOf(kind: 'verification' | 'reset' | 'change' | 'device'): Promise<string> {
  const claims = createSignedClaims(env.SESSION_SECRET);
  const links = createMailLinks({ ...claims, sign: (type, content, _life, now) => claims.sign(type, content, FAR_AWAY - now, now) });
  const account = await createAccountsStore(createDatabase(env.DB)).byId(await createAccount({ row: { passwordHash: PASSWORD_HASH } }));
  if (!account) throw new Error('the account was not stored');
  const link = await (kind === 'change' ? links.change(account, newEmail(), '', FIRST_INSTANT) : links[kind](account, '', FIRST_INSTANT));
  return link.slice(link.indexOf('token=') + 'token='.length);
}

const NEW_PASSWORD = 'another four plain words';

/** Adds a design to the session's account. */
async function someDesign(): Promise<SampleOverrides> {
  const id = crypto.randomUUID();
  const size = { width: 50, height: 50, createdAt: 0, updatedAt: 0 };
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"/>';
  const designs = createDesignsStore(createDatabase(env.DB));
  await designs.add({ id, userId: accountOfSession(), name: 'Name', event: 'challenge', svg, ...size }, 1_000_000);
  return { parameters: { id } };
}

/** Makes room for one more design; no overrides. */
async function roomForDesign(): Promise<SampleOverrides> {
  await createDesignsStore(createDatabase(env.DB)).deleteByAccount(accountOfSession());
  return {};
}

/** The only webhook of the session's account, because the number of webhooks is limited. */
async function ownWebhook(): Promise<SampleOverrides> {
  const userId = accountOfSession();
  await webhookRows.deleteByAccount(userId);
  return { parameters: { id: (await register({ userId })).id } };
}

/** A signed webhook of the session's account, with an ended delivery. */
async function ownSignedWebhook(): Promise<SampleOverrides> {
  const userId = accountOfSession();
  const [known] = await webhookRows.byAccount(userId, 'signed');
  const id = known?.id ?? (await registerSigned({ userId })).id;
  await createDatabase(env.DB).delete(webhookDeliveries).where(eq(webhookDeliveries.webhookId, id));
  const deliveries = await log.list(id, 500);
  return { parameters: { id, message_id: deliveries.at(-1)?.messageId ?? '' } };
}

/** Makes room for one more webhook; no overrides. */
async function roomForWebhook(): Promise<SampleOverrides> {
  await webhookRows.deleteByAccount(accountOfSession());
  return {};
}

/** Stores a second factor, replacing that of an earlier request. */
async function storeFactor(row: typeof secondFactors.$inferInsert): Promise<void> {
  await createDatabase(env.DB).insert(secondFactors).values(row).onConflictDoUpdate({ target: secondFactors.userId, set: row });
}

/** Starts the set-up of a second factor for the session's account. Returns the code of a time. */
async function startSetUp(now: number): Promise<string> {
  const secret = crypto.getRandomValues(new Uint8Array(TOTP_SECRET_BYTES));
  const userId = accountOfSession();
  const vault = createVault(env.SESSION_SECRET, SECOND_FACTOR_VAULT);
  const sealedSecret = await vault.seal(Buffer.from(secret).toString('base64url'), userId);
  await storeFactor({ userId, sealedSecret, createdAt: FIRST_INSTANT, confirmedAt: null });
  return codeOfStep(secret, stepAt(now));
}

/** Gives the session's account a second factor. Returns a recovery code. */
async function addSecondFactor(): Promise<string> {
  const db = createDatabase(env.DB);
  const userId = accountOfSession();
  const code = toBase32(crypto.getRandomValues(new Uint8Array(10)));
  await storeFactor({ userId, sealedSecret: '', createdAt: FIRST_INSTANT, confirmedAt: FIRST_INSTANT });
  await db.insert(recoveryCodes).values({ userId, codeHash: await sha256Of(new TextEncoder().encode(code)) });
  return code;
}

const someAccount = async () => ({ parameters: { id: await createAccount() } });

async function suspendedAccount(): Promise<SampleOverrides> {
  const userId = await createAccount();
  const row = { id: crypto.randomUUID(), userId, reason: 'spam', startedAt: FIRST_INSTANT, startedBy: userId };
  await createSuspensionsStore(createDatabase(env.DB)).start(row, () => []);
  return { parameters: { id: userId } };
}

async function openAnnouncement(): Promise<SampleOverrides> {
  const id = crypto.randomUUID();
  const announcement = { id, title: 'Delayed', severity: 'info' as const, parts: [], startsAt: FIRST_INSTANT, endsAt: null };
  const change = { kind: 'new' as const, announcement, text: 'We look into it.', at: FIRST_INSTANT };
  const status = env.SERVICE_STATUS.getByName('status');
  // Earlier requests may have opened as many as there may be.
  if ((await status.changeAnnouncements(change)).problem === 'full') {
    const oldest = parseAnnouncements(await status.readAnnouncements()).at(-1)?.id ?? '';
    await status.changeAnnouncements({ kind: 'update', id: oldest, text: 'Closed.', closes: true, at: FIRST_INSTANT });
    await status.changeAnnouncements(change);
  }
  return { parameters: { id } };
}

async function openReport(): Promise<SampleOverrides> {
  const id = crypto.randomUUID();
  const report = { id, page: '/mods/ana/wings', reason: 'spam', message: 'spam spam', userId: null, createdAt: FIRST_INSTANT } as const;
  await createReportsStore(createDatabase(env.DB)).add(report);
  return { parameters: { id } };
}

/** Input of the portal's operations. */
const PORTAL_INPUTS: Readonly<Record<string, SampleOverrides | ((now: number) => SampleOverrides | Promise<SampleOverrides>)>> = {
  signUp: () => ({ body: { email: newEmail(), password: NEW_PASSWORD } }),
  refreshSession: async () => ({ headers: { Cookie: `__Secure-portal_refresh=${(await createSession()).refreshToken}` }, body: {} }),
  verifyEmail: async () => ({ body: { token: await linkOf('verification'), password: PASSWORD } }),
  verifyEmailChange: async () => ({ body: { token: await linkOf('change'), password: PASSWORD } }),
  resetPassword: async () => ({ body: { token: await linkOf('reset'), new_password: NEW_PASSWORD } }),
  confirmDevice: async () => ({ body: { token: await linkOf('device') } }),
  enableSecondFactor: async (now) => ({ body: { code: await startSetUp(now) } }),
  disableSecondFactor: async () => ({ body: { password: PASSWORD, code: await addSecondFactor() } }),
  renewRecoveryCodes: async () => ({ body: { password: PASSWORD, code: await addSecondFactor() } }),
  changeEmail: () => ({ body: { new_email: newEmail(), password: PASSWORD } }),
  createWebhookDesign: roomForDesign,
  editWebhookDesign: someDesign,
  deleteWebhookDesign: someDesign,
  deleteAccount: () => ({ body: { confirm_email: `${accountOfSession()}@example.com`, password: PASSWORD } }),
  endSession: async () => ({ parameters: { id: (await createSession({ userId: accountOfSession() })).sessionId } }),
  editToken: () => tokenOf(accountOfSession()),
  rotateToken: () => tokenOf(accountOfSession()),
  revokeToken: () => tokenOf(accountOfSession()),
  getTokenActivity: () => tokenOf(accountOfSession()),
  revokeTokenAsAdmin: () => tokenOf(),
  suspendUser: someAccount,
  endUserSuspension: suspendedAccount,
  listUserSuspensions: someAccount,
  decideReport: openReport,
  updateAnnouncement: openAnnouncement,
  announce: () => ({ body: { title: 'Delayed', severity: 'info', parts: [], text: 'We look into it.' } }),
  listUsageEvents: { parameters: { user_id: 'nobody' } },
  editWebhook: ownWebhook,
  removeWebhook: ownWebhook,
  testWebhook: ownWebhook,
  registerSignedWebhook: roomForWebhook,
  editSignedWebhook: ownSignedWebhook,
  rotateSignedWebhookSecret: ownSignedWebhook,
  deleteSignedWebhook: ownSignedWebhook,
  listWebhookDeliveries: ownSignedWebhook,
  getWebhookDelivery: ownSignedWebhook,
  testSignedWebhook: ownSignedWebhook,
  replayWebhookDelivery: ownSignedWebhook,
};

/** A new giveaway, which the call can change. */
async function newGiveaway(status: 'scheduled' | 'open'): Promise<SampleOverrides> {
  const id = crypto.randomUUID();
  const terms = { title: 'Title', prizeName: 'Prize', prizeCode: 'CODE', startsAt: 1_773_000_000, endsAt: 4_000_000_000 };
  await createDatabase(env.DB)
    .insert(giveaways)
    .values({ id, ...terms, status, seed: '00', seedHash: '00', createdAt: 1_773_000_000 });
  return { parameters: { id } };
}

/** A current cursor of the listings. Cursors of this sort order expire with the second insert. */
async function listingsCursor(): Promise<SampleOverrides> {
  const [state] = await createDatabase(env.DB).select().from(marketState);
  return { optional: { cursor: encodeCursor('-last_seen', state?.revision ?? 0, 4_100_000_000, '') } };
}

/** A stored dump without boards, whose replay does not change other tests' data. */
async function storedDump(): Promise<SampleOverrides> {
  const stream = new Response('done = true').body?.pipeThrough(new CompressionStream('gzip')) ?? null;
  const gzip = new Uint8Array(await new Response(stream).arrayBuffer());
  const anchor = 1_773_140_400;
  const text = { digest: '', bytes: 11, isBackfill: true };
  const key = await createRawDumps(env.BOARDS).put({ anchor, id: 'stored', receivedAt: anchor, gzip, metadata: text });
  return { body: { dump: key.slice('raw/'.length, -'.cfg.gz'.length) } };
}

let emptyCaptures = 0;

/** A capture without boards, long before the one that other tests read. */
async function emptyCapture(): Promise<SampleOverrides> {
  emptyCaptures += 1;
  const anchor = 1_700_000_000 + emptyCaptures * 3600;
  const nothing = { digest: '', boards: 0, entries: 0, playerShards: 1 };
  await createDatabase(env.DB)
    .insert(boardCaptures)
    .values({ anchor, version: `empty-${emptyCaptures}`, ...nothing, visibleAt: anchor });
  return { parameters: { anchor: String(anchor) } };
}

const BOUNDARY = 'boundary';
const MARKET_LINE = '5f0f8e81-6a1c-11ef-9a3e-01005161a8df;Bardium;;1;100';

/** A form with a dump of one listing. */
/** Lists the item of the examples, which another operation may have deleted. */
async function listedItem(): Promise<SampleOverrides> {
  await seedMarket();
  return {};
}

/** Ends the backfills of earlier requests. */
async function endedBackfill(): Promise<SampleOverrides> {
  await env.BOARDS.delete(Object.values(BACKFILL_KEYS));
  return {};
}

const marketDump = {
  raw: {
    body: `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="market.cfg"\r\n\r\n${MARKET_LINE}\r\n--${BOUNDARY}--\r\n`,
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
  },
};

/**
 * Input, by operation id, of operations whose documented examples do not always succeed. A function runs before every call; it can
 * store data that the call needs, or return unique names. Prefer an example that works, or a seed that makes it work.
 */
const INPUTS: Readonly<Record<string, SampleOverrides | ((now: number) => SampleOverrides | Promise<SampleOverrides>)>> = {
  getLiveFile: { parameters: { file: 'live.css' } },
  getStatusFile: { parameters: { file: 'status.css' } },
  getUiFile: { parameters: { file: 'portal.css' } },
  getAdminUiFile: { parameters: { file: 'users.js' } },
  deleteLeaderboardCapture: emptyCapture,
  listLeaderboards: { parameters: { created_at: '1773140400' } },
  listLeaderboardEntries: { parameters: { created_at: '1773140400' } },
  listNewsHistory: { optional: { cursor: SEEDED_CURSORS.news } },
  readMod: { raw: { body: fromHex(EXAMPLE_HEX), contentType: 'application/octet-stream' } },
  reportExposedTokens: {
    raw: { body: EXAMPLE_REPORT.body, contentType: 'application/json' },
    headers: {
      'Github-Public-Key-Identifier': EXAMPLE_REPORT.key.key_identifier,
      'Github-Public-Key-Signature': EXAMPLE_REPORT.signature,
    },
  },
  listMarketListings: listingsCursor,
  insertMarketDump: marketDump,
  backfillPlayerRenames: endedBackfill,
  backfillDuplicateNames: endedBackfill,
  getMarketSummary: listedItem,
  getMarketItemPage: listedItem,
  getMarketItemBadge: listedItem,
  getMarketItemCard: listedItem,
  enterGiveaway: () => newGiveaway('open'),
  withdrawFromGiveaway: () => newGiveaway('open'),
  changeGiveaway: () => newGiveaway('scheduled'),
  closeGiveaway: () => newGiveaway('open'),
  cancelGiveaway: () => newGiveaway('open'),
  addInterestItem: () => ({ body: { name: newName() } }),
  addSupporter: () => ({ body: { name: newName() } }),
  insertModRelease: () => ({
    body: { handle: 'ana', title: newName(), release: { tag: '1.0.0', artifact_base64: EXAMPLE_ARTIFACT } },
  }),
  approveMod: someMod,
  takeDownMod: someMod,
  // A dump without boards does not change other tests' data.
  insertLeaderboards: {
    // The clock of the tests advances by months, so the documented time is in the past.
    parameters: { backfill: 'true' },
    raw: {
      body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.cfg"\r\n\r\ndone = true\n\r\n--x--\r\n',
      contentType: 'multipart/form-data; boundary=x',
    },
  },
  replayLeaderboardDump: storedDump,
  readCharacterSheet: () => ({ raw: imageForm('short-sheet.webp', 'image/webp') }),
  readSheetOfAccount: () => ({ raw: imageForm('short-sheet.webp', 'image/webp') }),
  readSheetOfVisitor: () => ({ raw: imageForm('short-sheet.webp', 'image/webp') }),
  removeInterestItem: () => listedName(interestItems),
  removeSupporter: () => listedName(supporters),
  ...PORTAL_INPUTS,
  ...PROJECT_INPUTS,
};

/** Overrides of the documented examples of an endpoint. */
export async function inputOf({ spec }: Endpoint, now = nextInstant()): Promise<SampleOverrides> {
  const input = INPUTS[spec.operationId] ?? {};
  return typeof input === 'function' ? input(now) : input;
}

/** The minimal valid request of an endpoint. `extra`: optional parameters to add. `now`: clock of the request. */
export async function validRequest(endpoint: Endpoint, extra: readonly string[] = [], now = nextInstant()): Promise<SampleRequest> {
  return sampleRequest(FULL_DOCUMENT, operationOf(endpoint), await inputOf(endpoint, now), extra);
}

/** A request that matches the endpoint's route; it may fail. */
export function plainRequest(endpoint: Endpoint): SampleRequest {
  return sampleRequest(FULL_DOCUMENT, operationOf(endpoint));
}
