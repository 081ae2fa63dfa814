import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { createAccountsRepository } from '../../src/areas/accounts/accounts.repository.ts';
import { createMailLinks } from '../../src/areas/accounts/mail-links.ts';
import { giveaways } from '../../src/areas/giveaways/giveaways.tables.ts';
import { createRawDumps } from '../../src/areas/leaderboards/ingest/raw-dumps.repository.ts';
import { boardCaptures } from '../../src/areas/leaderboards/leaderboards.tables.ts';
import { marketState } from '../../src/areas/market/market.tables.ts';
import { interestItems, supporters } from '../../src/areas/misc/misc.tables.ts';
import { blankDetails } from '../../src/areas/mods-catalog/insert/insert.domain.ts';
import { EXAMPLE_ARTIFACT } from '../../src/areas/mods-catalog/insert/insert.schemas.ts';
import { createModWrites } from '../../src/areas/mods-catalog/insert/mod-writes.repository.ts';
import { createDesignsRepository } from '../../src/areas/webhooks/designs/designs.repository.ts';
import { webhookDeliveries } from '../../src/areas/webhooks/webhooks.tables.ts';
import { createSignedClaims } from '../../src/platform/access/sessions/signed-claims.ts';
import { hashToken } from '../../src/platform/access/tokens/token-hash.ts';
import { apiTokens } from '../../src/platform/access/tokens.tables.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { encodeCursor } from '../../src/platform/http/replies/page.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { FULL_DOCUMENT, operationOf } from '../support/documents.ts';
import { imageForm } from '../support/image-forms.ts';
import { FIRST_INSTANT } from '../support/requests.ts';
import { type SampleOverrides, type SampleRequest, sampleRequest } from '../support/samples.ts';
import { EXAMPLE_REPORT } from '../support/scanning-partner.ts';
import { createSession, FAR_AWAY } from '../support/sessions.ts';
import { EXAMPLE_HEX, fromHex } from '../support/tmod.ts';
import { createAccount, createToken } from '../support/tokens.ts';
import { log, registerSigned } from '../worker/webhooks/signed/signed-world.ts';
import { register, repository as webhookRows } from '../worker/webhooks/world.ts';
import { accountOfSession, PASSWORD, PASSWORD_HASH } from './credentials.ts';
import { SEEDED_CURSORS, seedMarket } from './seeds.ts';

let names = 0;

/** A name that no call used before. */
function freshName(): string {
  names += 1;
  return `Name ${names}`;
}

/** A mod that nobody else looks at, to hide and to show. */
async function someMod(): Promise<SampleOverrides> {
  const slug = freshName().toLowerCase().replace(' ', '-');
  const at = { createdAt: 0, updatedAt: 0 };
  const details = blankDetails(slug, 'Ana');
  const write = { address: { handle: 'ana', slug }, details, ...at, before: null, isApproved: false, release: null, announcement: null };
  await createModWrites(createDatabase(env.DB)).save(write);
  return { parameters: { handle: 'ana', slug } };
}

/** A name that is on the list, to take off it. */
async function listedName(list: typeof interestItems | typeof supporters): Promise<SampleOverrides> {
  const name = freshName();
  await createDatabase(env.DB).insert(list).values({ name });
  return { parameters: { name } };
}

let people = 0;

/** An address that no account has. */
function freshEmail(): string {
  people += 1;
  return `person${people}@mail.example`;
}

/** A token of the account that is signed in, or of anybody. */
async function tokenOf(userId?: string): Promise<SampleOverrides> {
  const secret = await createToken(userId === undefined ? {} : { userId });
  const [row] = await createDatabase(env.DB)
    .select({ id: apiTokens.id })
    .from(apiTokens)
    .where(eq(apiTokens.hashedToken, hashToken(secret)));
  return { parameters: { id: row?.id ?? '' } };
}

/** Links that hold at any clock of the tests, for an account of their own. */
async function linkOf(kind: 'verification' | 'reset' | 'change'): Promise<string> {
  const claims = createSignedClaims(env.SESSION_SECRET);
  const links = createMailLinks({ ...claims, sign: (type, content, _life, now) => claims.sign(type, content, FAR_AWAY - now, now) });
  const account = await createAccountsRepository(createDatabase(env.DB)).byId(
    await createAccount({ row: { passwordHash: PASSWORD_HASH } }),
  );
  if (!account) throw new Error('the account was not stored');
  const link = await (kind === 'change' ? links.change(account, freshEmail(), '', FIRST_INSTANT) : links[kind](account, '', FIRST_INSTANT));
  return link.slice(link.indexOf('token=') + 'token='.length);
}

const NEW_PASSWORD = 'another four plain words';

/** A design of the account that is signed in. */
async function someDesign(): Promise<SampleOverrides> {
  const id = crypto.randomUUID();
  const size = { width: 50, height: 50, createdAt: 0, updatedAt: 0 };
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"/>';
  const designs = createDesignsRepository(createDatabase(env.DB));
  await designs.add({ id, userId: accountOfSession(), name: 'Name', event: 'challenge', svg, ...size }, 1_000_000);
  return { parameters: { id } };
}

/** Nothing more, but room for one more design. */
async function roomForDesign(): Promise<SampleOverrides> {
  await createDesignsRepository(createDatabase(env.DB)).deleteAccountData(accountOfSession());
  return {};
}

/** The only webhook of the account that is signed in: no account may have many. */
async function ownWebhook(): Promise<SampleOverrides> {
  const userId = accountOfSession();
  await webhookRows.deleteByAccount(userId);
  return { parameters: { id: (await register({ userId })).id } };
}

/** A signed webhook of the account that is signed in, with a delivery that nothing changes any more. */
async function ownSignedWebhook(): Promise<SampleOverrides> {
  const userId = accountOfSession();
  const [known] = await webhookRows.byAccount(userId, 'signed');
  const id = known?.id ?? (await registerSigned({ userId })).id;
  await createDatabase(env.DB).delete(webhookDeliveries).where(eq(webhookDeliveries.webhookId, id));
  const deliveries = await log.list(id, 500);
  return { parameters: { id, message_id: deliveries.at(-1)?.messageId ?? '' } };
}

/** Nothing more, but room for one more webhook. */
async function roomForWebhook(): Promise<SampleOverrides> {
  await webhookRows.deleteByAccount(accountOfSession());
  return {};
}

/** Input of the portal's operations. */
const PORTAL_INPUTS: Readonly<Record<string, SampleOverrides | (() => SampleOverrides | Promise<SampleOverrides>)>> = {
  signUp: () => ({ body: { email: freshEmail(), password: NEW_PASSWORD } }),
  refreshSession: async () => ({ headers: { Cookie: `__Secure-portal_refresh=${(await createSession()).refreshToken}` }, body: {} }),
  verifyEmail: async () => ({ body: { token: await linkOf('verification'), password: PASSWORD } }),
  verifyEmailChange: async () => ({ body: { token: await linkOf('change'), password: PASSWORD } }),
  resetPassword: async () => ({ body: { token: await linkOf('reset'), new_password: NEW_PASSWORD } }),
  changeEmail: () => ({ body: { new_email: freshEmail(), password: PASSWORD } }),
  createWebhookDesign: roomForDesign,
  editWebhookDesign: someDesign,
  deleteWebhookDesign: someDesign,
  deleteAccount: () => ({ body: { confirm_email: `${accountOfSession()}@example.com` } }),
  endSession: async () => ({ parameters: { id: (await createSession({ userId: accountOfSession() })).sessionId } }),
  editToken: () => tokenOf(accountOfSession()),
  rotateToken: () => tokenOf(accountOfSession()),
  revokeToken: () => tokenOf(accountOfSession()),
  getTokenActivity: () => tokenOf(accountOfSession()),
  revokeTokenAsAdmin: () => tokenOf(),
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

/** A giveaway that the call may change. */
async function freshGiveaway(status: 'scheduled' | 'open'): Promise<SampleOverrides> {
  const id = crypto.randomUUID();
  const terms = { title: 'Title', prizeName: 'Prize', prizeCode: 'CODE', startsAt: 1_773_000_000, endsAt: 4_000_000_000 };
  await createDatabase(env.DB)
    .insert(giveaways)
    .values({ id, ...terms, status, seed: '00', seedHash: '00', createdAt: 1_773_000_000 });
  return { parameters: { id } };
}

/** A cursor of the listings as they are by now: older ones of this order end with the second insert after them. */
async function listingsCursor(): Promise<SampleOverrides> {
  const [state] = await createDatabase(env.DB).select().from(marketState);
  return { optional: { cursor: encodeCursor('-last_seen', state?.revision ?? 0, 4_100_000_000, '') } };
}

/** A kept dump without boards: taking it in again changes nothing that others read. */
async function keptDump(): Promise<SampleOverrides> {
  const stream = new Response('done = true').body?.pipeThrough(new CompressionStream('gzip')) ?? null;
  const gzip = new Uint8Array(await new Response(stream).arrayBuffer());
  const anchor = 1_773_140_400;
  const text = { digest: '', bytes: 11, isBackfill: true };
  const key = await createRawDumps(env.BOARDS).put({ anchor, id: 'kept', receivedAt: anchor, gzip, metadata: text });
  return { body: { dump: key.slice('raw/'.length, -'.cfg.gz'.length) } };
}

let emptyCaptures = 0;

/** A capture without boards, long before the one that others read. */
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
const marketDump = {
  raw: {
    body: `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="market.cfg"\r\n\r\n${MARKET_LINE}\r\n--${BOUNDARY}--\r\n`,
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
  },
};

/**
 * Input of operations whose documented examples do not lead to a success each time, by operation id. A function is
 * asked before every call: it may store what the call needs, or give each call a name of its own. Prefer an example
 * that works, or a seed that makes it work.
 */
const INPUTS: Readonly<Record<string, SampleOverrides | (() => SampleOverrides | Promise<SampleOverrides>)>> = {
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
  getMarketSummary: async () => {
    await seedMarket();
    return {};
  },
  enterGiveaway: () => freshGiveaway('open'),
  withdrawFromGiveaway: () => freshGiveaway('open'),
  changeGiveaway: () => freshGiveaway('scheduled'),
  closeGiveaway: () => freshGiveaway('open'),
  cancelGiveaway: () => freshGiveaway('open'),
  addInterestItem: () => ({ body: { name: freshName() } }),
  addSupporter: () => ({ body: { name: freshName() } }),
  insertModRelease: () => ({
    body: { handle: 'ana', title: freshName(), release: { tag: '1.0.0', artifact_base64: EXAMPLE_ARTIFACT } },
  }),
  approveMod: someMod,
  takeDownMod: someMod,
  // A dump without boards: nothing that others read changes while it is processed.
  insertLeaderboards: {
    // The clock of the tests goes on for months: the documented instant is an old one by then.
    parameters: { backfill: 'true' },
    raw: {
      body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.cfg"\r\n\r\ndone = true\n\r\n--x--\r\n',
      contentType: 'multipart/form-data; boundary=x',
    },
  },
  replayLeaderboardDump: keptDump,
  readCharacterSheet: () => ({ raw: imageForm('sheet.webp', 'image/webp') }),
  removeInterestItem: () => listedName(interestItems),
  removeSupporter: () => listedName(supporters),
  ...PORTAL_INPUTS,
};

/** What replaces the documented examples of an endpoint. */
export async function inputOf({ spec }: Endpoint): Promise<SampleOverrides> {
  const input = INPUTS[spec.operationId] ?? {};
  return typeof input === 'function' ? input() : input;
}

/** The smallest valid request of an endpoint. `extra`: optional parameters to send too. */
export async function validRequest(endpoint: Endpoint, extra: readonly string[] = []): Promise<SampleRequest> {
  return sampleRequest(FULL_DOCUMENT, operationOf(endpoint), await inputOf(endpoint), extra);
}

/** A request that leads to the endpoint, whether it succeeds there or not. */
export function plainRequest(endpoint: Endpoint): SampleRequest {
  return sampleRequest(FULL_DOCUMENT, operationOf(endpoint));
}
