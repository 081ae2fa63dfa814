import { Buffer } from 'node:buffer';
import { createHash, randomBytes } from 'node:crypto';
import { renderSVG } from 'uqr';
import { bind } from '../../platform/kit/bind.ts';
import { ApiError, badRequest } from '../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Vault, VaultPurpose } from '../../platform/storage/vault.ts';
import type { Mailer } from '../../platform/upstream/mail/mailer.ts';
import { CODE_LOCKOUT } from './accounts.data.ts';
import { accountLockedError, type RequestContext } from './accounts.domain.ts';
import type { Account } from './accounts.store.ts';
import type { Attempts } from './attempts.store.ts';
import { recoveryCodeMail, secondFactorMail } from './mails.domain.ts';
import type { SecondFactorEvent, SecondFactorStore } from './second-factor.store.ts';
import { otpauthUri, stepOfCode, TOTP_SECRET_BYTES, toBase32 } from './totp.domain.ts';

/** Purpose of the vault that seals the secrets. */
export const SECOND_FACTOR_VAULT: VaultPurpose = {
  sealing: 'second factors',
  digesting: 'second factor digests',
  naming: 'second factor key id',
  unconfigured: 'second factors are not configured',
};

const RECOVERY_CODES = 10;
/** 80 bits, so a plain hash cannot be reversed. */
const RECOVERY_CODE_BYTES = 10;
const RECOVERY_CODE_GROUP = 4;

interface SecondFactorDeps {
  store: SecondFactorStore;
  attempts: Attempts;
  vault: Vault;
  mailer: Mailer;
  appName: string;
}

export interface SecondFactorState {
  /** When it was enabled; null without one. */
  enabledAt: UnixSeconds | null;
  recoveryCodesLeft: number;
  /** Latest first. */
  events: SecondFactorEvent[];
}

/** A set-up that the first code finishes. */
export interface SetUp {
  /** Base32, to type into an app. */
  secret: string;
  uri: string;
  /** The URI as a QR code. */
  svg: string;
}

/** Time-based codes (RFC 6238) with recovery codes, as the second factor of an account. */
export type SecondFactor = ReturnType<typeof createSecondFactor>;

/** Time and background work of a request. */
type CodeContext = Pick<RequestContext, 'now' | 'waitUntil'>;

const wrongCodeError = () =>
  new ApiError('invalid_credentials', 'wrong or already used code', {
    hint: 'enter the next code that the authenticator app shows, or an unused recovery code',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });

export function createSecondFactor(deps: SecondFactorDeps) {
  return bind(deps, { stateOf, begin, enable, require: requireCode, disable, renewRecoveryCodes });
}

const newRecoveryCodes = () => Array.from({ length: RECOVERY_CODES }, () => groupsOf(toBase32(randomBytes(RECOVERY_CODE_BYTES))));

async function secretOf({ vault }: SecondFactorDeps, userId: string, sealed: string): Promise<Uint8Array | null> {
  const opened = await vault.open(sealed, userId);
  return typeof opened === 'string' ? Buffer.from(opened, 'base64url') : null;
}

async function countAttempt({ attempts }: SecondFactorDeps, userId: string, source: string, now: UnixSeconds): Promise<string> {
  const key = `code\n${userId}\n${source}`;
  const lockedFor = await attempts.count(key, CODE_LOCKOUT, now);
  if (lockedFor > 0) throw accountLockedError(lockedFor);
  return key;
}

const alertOf = ({ mailer }: SecondFactorDeps, to: string, text: { subject: string; text: string }, now: UnixSeconds) =>
  mailer.composeIf({ to, kind: 'alert', ...text }, now);

async function isAccepted(
  deps: SecondFactorDeps,
  account: Pick<Account, 'id' | 'email'>,
  code: string,
  context: CodeContext,
): Promise<boolean> {
  const factor = await deps.store.find(account.id);
  if (!factor?.confirmedAt) return true;
  const plain = normalizeCode(code);
  const secret = await secretOf(deps, account.id, factor.sealedSecret);
  const step = secret && stepOfCode(secret, plain, factor.lastStep, context.now);
  if (step !== null) return deps.store.useStep(account.id, step);
  const alert = alertOf(deps, account.email, recoveryCodeMail(deps.appName), context.now);
  if (!(await deps.store.useRecoveryCode(account.id, hashOf(plain), context.now, alert.insertionIf))) return false;
  context.waitUntil(alert.send());
  return true;
}

async function stateOf({ store }: SecondFactorDeps, userId: string): Promise<SecondFactorState> {
  const [factor, recoveryCodesLeft, events] = await Promise.all([
    store.find(userId),
    store.countRecoveryCodes(userId),
    store.listEvents(userId),
  ]);
  return { enabledAt: factor?.confirmedAt ?? null, recoveryCodesLeft, events };
}

/** Starts a set-up, replacing an unfinished one. Throws 400 when the account has a second factor, and 503 without a secret. */
async function begin({ store, vault, appName }: SecondFactorDeps, { id, email }: Account, now: UnixSeconds): Promise<SetUp> {
  const secret = randomBytes(TOTP_SECRET_BYTES);
  const sealed = await vault.seal(secret.toString('base64url'), id);
  if (!(await store.begin(id, sealed, now))) throw badRequest('the account has a second factor; disable it first');
  const uri = otpauthUri(secret, appName, email);
  return { secret: toBase32(secret), uri, svg: renderSVG(uri, { border: 2 }) };
}

/** Finishes the set-up with its first code and ends every session. Returns the recovery codes. Throws 400, 401 and 429. */
async function enable(deps: SecondFactorDeps, account: Account, code: string, context: RequestContext): Promise<string[]> {
  const factor = await deps.store.find(account.id);
  if (!factor || factor.confirmedAt !== null) throw badRequest('no set-up to finish; start one first');
  const key = await countAttempt(deps, account.id, 'set-up', context.now);
  const secret = await secretOf(deps, account.id, factor.sealedSecret);
  const step = secret && stepOfCode(secret, normalizeCode(code), factor.lastStep, context.now);
  if (step === null) throw wrongCodeError();
  // A lost response costs the recovery codes only: the app has the secret, and its codes renew them.
  const codes = newRecoveryCodes();
  const hashes = codes.map((text) => hashOf(normalizeCode(text)));
  const alert = alertOf(deps, account.email, secondFactorMail(deps.appName, 'enabled'), context.now);
  if (!(await deps.store.confirm(factor, step, hashes, context.now, alert.insertionIf)))
    throw badRequest('the set-up was replaced; start again');
  await deps.attempts.clear(key);
  context.waitUntil(alert.send());
  return codes;
}

/**
 * Requires a code, when the account has a second factor. `source`: a device or session whose wrong codes are counted apart. Throws 403
 * `second_factor_required` without a code, 401 `invalid_credentials` for a wrong or used one, and 429 `account_locked`.
 */
async function requireCode(
  deps: SecondFactorDeps,
  account: Pick<Account, 'id' | 'email'>,
  code: string | null | undefined,
  source: string,
  context: CodeContext,
): Promise<void> {
  if (code === null || code === undefined || code.trim() === '') {
    const factor = await deps.store.find(account.id);
    if (!factor?.confirmedAt) return;
    throw new ApiError('second_factor_required', 'code is required: the account has a second factor');
  }
  const key = await countAttempt(deps, account.id, source, context.now);
  if (!(await isAccepted(deps, account, code, context))) throw wrongCodeError();
  await deps.attempts.clear(key);
}

/** Removes the second factor. The request has proven password and code. */
async function disable(deps: SecondFactorDeps, { id, email }: Account, context: RequestContext): Promise<void> {
  const factor = await deps.store.find(id);
  const alert = alertOf(deps, email, secondFactorMail(deps.appName, 'disabled'), context.now);
  if (!factor?.confirmedAt || !(await deps.store.remove(factor, context.now, alert.insertionIf)))
    throw badRequest('the account has no second factor');
  context.waitUntil(alert.send());
}

/** Replaces the recovery codes. The request has proven password and code. Throws 400 without a second factor. */
async function renewRecoveryCodes({ store }: SecondFactorDeps, { id }: Account, now: UnixSeconds): Promise<string[]> {
  const factor = await store.find(id);
  if (!factor?.confirmedAt) throw badRequest('the account has no second factor');
  const codes = newRecoveryCodes();
  const after = codes.map((code) => hashOf(normalizeCode(code)));
  const before = await store.listRecoveryCodes(id);
  if (!(await store.replaceRecoveryCodes(factor, { before, after }, now)))
    throw badRequest('the recovery codes were used or replaced meanwhile; try again');
  return codes;
}

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex');

/** Upper case without spaces and hyphens. */
const normalizeCode = (code: string) => code.replace(/[\s-]/g, '').toUpperCase();

/** `ABCD-EFGH-…` */
function groupsOf(text: string): string {
  return text.replace(new RegExp(`.{${RECOVERY_CODE_GROUP}}(?=.)`, 'g'), '$&-');
}
