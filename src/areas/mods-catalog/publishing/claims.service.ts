import { bind } from '../../../platform/kit/bind.ts';
import { ApiError, notFound } from '../../../platform/kit/errors/api-error.ts';
import { logError } from '../../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database } from '../../../platform/storage/database.ts';
import type { Mailer } from '../../../platform/upstream/mail/mailer.ts';
import type { CatalogStore } from '../catalog/catalog.store.ts';
import { fieldError } from '../insert/uploads.service.ts';
import type { CommunityCatalog } from '../mirror/mirror.upstream.ts';
import type { mods } from '../records/catalog.tables.ts';
import { isVisible, type ModAddress, parseAddress, pathOf } from '../records/mod.domain.ts';
import { type ModerationNotice, type Statement, saveUnlessChanged } from '../records/mod-writes.store.ts';
import { CLAIM_CODE_SECONDS, type CodeCheck } from '../records/publishing.data.ts';
import type { PublishingAccess } from './access.service.ts';
import type { ProjectsService } from './projects.service.ts';
import type { ClaimRow, ProjectsStore } from './projects.store.ts';
import { newSlug } from './publishing.domain.ts';

interface ClaimsServiceDeps {
  db: Database;
  appName: string;
  catalog: Pick<CatalogStore, 'find'>;
  projects: ProjectsStore;
  service: Pick<ProjectsService, 'requireHandle'>;
  access: Pick<PublishingAccess, 'admit'>;
  /** Null: no linked catalog. */
  community: Pick<CommunityCatalog, 'list'> | null;
  mailer: Pick<Mailer, 'compose' | 'send'>;
  reindex(modId: number): Promise<void>;
  newId(): string;
}

/** A claim with the address of its mod. */
export interface Claim {
  claim: ClaimRow;
  mod: ModAddress & { title: string };
}

type ModRow = typeof mods.$inferSelect;
const CHANGED = 'the claim was decided or the mod was changed meanwhile; reload it';

export type ClaimsService = ReturnType<typeof createClaimsService>;

/** Claims of mods from the mirror or an insert. */
export function createClaimsService(deps: ClaimsServiceDeps) {
  return bind(deps, { list, listOpen, create, verify, confirm, reject, noticeToMembers });
}

async function find({ projects }: ClaimsServiceDeps, id: string): Promise<{ claim: ClaimRow; mod: ModRow }> {
  const found = await projects.findClaim(id);
  if (!found) throw notFound('claim not found');
  return found;
}

/** Stores a decision with the mail about it, then sends the mail. */
async function decide(
  deps: ClaimsServiceDeps,
  claim: ClaimRow,
  mod: ModAddress,
  statements: Statement[],
  mailText: string,
  now: UnixSeconds,
): Promise<Claim> {
  const to = await deps.projects.findEmail(claim.userId);
  const subject = `${deps.appName}: your claim of ${pathOf(mod)}`;
  const mail = to === null ? null : deps.mailer.compose({ to, subject, text: `${mailText}\n` }, now, claim.id);
  const [first, ...more] = mail ? [...statements, mail.insertion] : statements;
  if (!first || !(await saveUnlessChanged(deps.db, [first, ...more]))) throw new ApiError('conflict', CHANGED);
  if (mail) await deps.mailer.send(mail.id, now);
  return find(deps, claim.id);
}

/** Makes the account the owner. A mod of the mirror moves to the handle of the account. */
async function storeConfirmation(
  deps: ClaimsServiceDeps,
  { claim, mod }: { claim: ClaimRow; mod: ModRow },
  actor: string,
  now: UnixSeconds,
): Promise<Claim> {
  await deps.service.requireHandle(claim.userId, claim.handle, { isConfirmed: !mod.isStray, claimed: mod.id });
  const slug = mod.isStray ? newSlug(mod.slug, await deps.projects.listSlugs(claim.handle)) : mod.slug;
  const address = { handle: claim.handle, slug };
  const statements = [
    deps.projects.decideStatement(claim.id, 'confirmed', null, now),
    ...deps.projects.moveStatements(mod, address, now),
    deps.projects.handleStatement(claim.handle, claim.userId, now, { isConfirmed: !mod.isStray, exceptSlug: slug, claimed: mod.id }),
    deps.projects.accountStatement(mod.id, claim.userId),
    deps.projects.memberStatement(mod.id, { userId: claim.userId, handle: claim.handle, role: 'owner' }, now),
    ...deps.projects.derivedStatements(mod.id),
    deps.projects.rejectOthersStatement(claim, now),
    ...deps.projects.auditStatements({
      projectId: mod.id,
      at: now,
      actor,
      action: 'claim_confirmed',
      detail: `${pathOf(mod)} for ${claim.handle}`,
    }),
  ];
  const text = `Your claim of ${pathOf(mod)} is confirmed. The mod is now ${pathOf(address)}, and you are its owner.`;
  const confirmed = await decide(deps, claim, mod, statements, text, now);
  await deps.reindex(mod.id);
  return confirmed;
}

/** The description of a mod in the linked catalog; null when the catalog cannot be read. Only its author can change it. */
async function readDescription({ community }: ClaimsServiceDeps, sourceId: string): Promise<string | null> {
  try {
    for (const entry of (await community?.list()) ?? []) if (entry.sourceId === sourceId) return entry.description;
    return community ? '' : null;
  } catch (error) {
    logError('the linked catalog could not be read for a claim', error);
    return null;
  }
}

const list = ({ projects }: ClaimsServiceDeps, userId: string): Promise<Claim[]> => projects.listClaims({ userId });

const listOpen = ({ projects }: ClaimsServiceDeps): Promise<Claim[]> => projects.listClaims({ state: 'pending' });

/** Stores a claim. Throws 404 for a hidden mod and 409 for one that cannot be claimed. */
async function create(
  { access, catalog, projects, service, newId, community, db }: ClaimsServiceDeps,
  userId: string,
  given: { mod: string; handle: string | undefined; note: string },
  now: UnixSeconds,
): Promise<Claim> {
  await access.admit(userId, 0);
  const address = parseAddress(given.mod);
  const mod = address && (await catalog.find(address));
  if (!mod || !isVisible(mod)) throw notFound('mod not found');
  if (mod.uploadedOnBehalf) throw new ApiError('conflict', 'a mod uploaded on behalf of its creator cannot be claimed');
  if ((await projects.listMembers(mod.id)).some(({ role }) => role === 'owner')) {
    throw new ApiError('conflict', 'the mod has an owner', { hint: 'ask the owner to add you as an author' });
  }
  const handle = mod.isStray ? given.handle : mod.handle;
  if (handle === undefined) throw fieldError(['handle'], 'is required for an unclaimed mod');
  await service.requireHandle(userId, handle, { isConfirmed: !mod.isStray, claimed: mod.id });
  const sourceId = (await projects.findMod(mod.id))?.sourceId ?? null;
  const claim: ClaimRow = {
    id: newId(),
    projectId: mod.id,
    userId,
    handle,
    note: given.note,
    code: sourceId === null || community === null ? null : `mod-claim-${newId()}`,
    state: 'pending',
    reason: null,
    createdAt: now,
    decidedAt: null,
  };
  if (!(await saveUnlessChanged(db, [projects.claimStatement(claim), ...(await access.admit(userId, mod.id))]))) {
    throw new ApiError('conflict', 'the account already claims this mod, or has the maximum of 5 open claims');
  }
  return { claim, mod };
}

/** Confirms a claim when its code is in the description of the mod in the linked catalog. */
async function verify(deps: ClaimsServiceDeps, userId: string, id: string, now: UnixSeconds): Promise<Claim & { check: CodeCheck }> {
  const found = await find(deps, id);
  const { claim, mod } = found;
  if (claim.userId !== userId) throw notFound('claim not found');
  if (claim.state === 'confirmed') return { ...found, check: 'confirmed' };
  if (claim.state === 'rejected') throw new ApiError('conflict', 'the claim was rejected');
  if (claim.code === null || mod.sourceId === null) {
    throw new ApiError('conflict', 'the mod is not from the linked catalog', { hint: 'wait for a moderator' });
  }
  if (now > claim.createdAt + CLAIM_CODE_SECONDS) return { ...found, check: 'code_expired' };
  const description = await readDescription(deps, mod.sourceId);
  if (description === null) return { ...found, check: 'catalog_unavailable' };
  if (!description.includes(claim.code)) return { ...found, check: 'code_not_found' };
  return { ...(await storeConfirmation(deps, found, claim.handle, now)), check: 'confirmed' };
}

/** Confirms an open claim. Idempotent. */
async function confirm(deps: ClaimsServiceDeps, id: string, now: UnixSeconds): Promise<Claim> {
  const found = await find(deps, id);
  if (found.claim.state === 'confirmed') return found;
  if (found.claim.state === 'rejected') throw new ApiError('conflict', 'the claim was rejected');
  return storeConfirmation(deps, found, 'moderator', now);
}

/** Rejects an open claim with a reason. Idempotent. */
async function reject(deps: ClaimsServiceDeps, id: string, reason: string, now: UnixSeconds): Promise<Claim> {
  const { claim, mod } = await find(deps, id);
  if (claim.state === 'rejected') return { claim, mod };
  if (claim.state === 'confirmed') throw new ApiError('conflict', 'the claim was confirmed');
  const text = `Your claim of ${pathOf(mod)} was rejected: ${reason}`;
  return decide(deps, claim, mod, [deps.projects.decideStatement(id, 'rejected', reason, now)], text, now);
}

/** A moderator's decision in the audit trail and mails to the members, for the transaction of the decision. */
async function noticeToMembers(
  { projects, appName, mailer }: ClaimsServiceDeps,
  mod: ModAddress & { id: number },
  action: string,
  reason: string,
  now: UnixSeconds,
): Promise<ModerationNotice> {
  const addresses = await projects.listAddresses(mod.id);
  const subject = `${appName}: ${pathOf(mod)} was ${action}`;
  const text = `A moderator has ${action} your mod ${pathOf(mod)}.${reason === '' ? '' : `\n\nReason: ${reason}`}\n`;
  const mails = addresses.map((to) => mailer.compose({ to, subject, text }, now));
  const entry = { projectId: mod.id, at: now, actor: 'moderator', action: `mod ${action}`.replaceAll(' ', '_'), detail: reason };
  return {
    statements: (onlyIf) => [
      ...projects.auditStatements(onlyIf ? { ...entry, onlyIf } : entry),
      ...mails.map(({ insertion }) => insertion),
    ],
    async send() {
      for (const { id } of mails) await mailer.send(id, now);
    },
  };
}
