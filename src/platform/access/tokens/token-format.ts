import { createHash, createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ApiError } from '../../kit/errors/api-error.ts';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import { readEnvironment } from '../../settings/environment.ts';
import type { ApiTokenRow } from '../tokens.tables.ts';
import { createAllowlist } from './token-decision.ts';

/** Digits of base 62 in the order of the token checksum: lower case, upper case, digits. */
const BASE62 = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
/** Parts of the body, in this order. */
const SECRET_LENGTH = 27;
const ID_LENGTH = 11;
const CHECK_LENGTH = 5;
const BODY_LENGTH = SECRET_LENGTH + ID_LENGTH + CHECK_LENGTH;
const CHECK_VALUES = 62n ** BigInt(CHECK_LENGTH);
const DISPLAYED_BODY_LENGTH = 8;

/** Random bytes from 248 on are discarded, to avoid bias: 248 is the largest multiple of 62 in a byte. */
const UNBIASED_LIMIT = 248;

/** Source of random bytes; cryptographic outside tests. */
type RandomBytes = (count: number) => Uint8Array;

/** What a secret is for; part of the text under its check characters, so a secret of one kind is refused as the other without storage. */
type SecretKind = 'token-id' | 'project-key';

/** What a deployment needs to create and check tokens. */
export interface TokenFormat {
  /** Default: `token-id`, an API token. */
  kind?: SecretKind;
  /** First part of every token, without an underscore. */
  prefix: string;
  /** `TOKEN_KEY`; null when it is missing. */
  key: string | null;
  /** Earlier keys, accepted in checks. */
  previousKeys: readonly string[];
  /** False after a key was lost: the check characters of a token are not verified. */
  verifiesCheck: boolean;
}

/**
 * Creates a token `<prefix>_<27 characters of secret><11 of token id><5 of check>_<checksum>`. The secret has about 160 bits of
 * entropy.
 */
export function createTokenSecret(prefix: string, key: string, id: string, randomBytes: RandomBytes, kind?: SecretKind): string {
  const body = randomText(SECRET_LENGTH, randomBytes) + id + checkOf(id, key, kind);
  return `${prefix}_${body}_${checksumOf(body)}`;
}

/** Creates the id of a token: 11 base 62 characters, about 65 bits. */
export function createTokenId(randomBytes: RandomBytes): string {
  return randomText(ID_LENGTH, randomBytes);
}

function randomText(length: number, randomBytes: RandomBytes): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < UNBIASED_LIMIT && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}

/**
 * The check characters of an id: HMAC-SHA-256 over `<kind>:<id>`, its first 8 bytes as a big-endian number modulo 62^5, in
 * base 62, padded with `a`. Only who knows the key can create a token of an id.
 */
export function checkOf(id: string, key: string, kind: SecretKind = 'token-id'): string {
  const digest = createHmac('sha256', key).update(`${kind}:${id}`).digest();
  return base62(Number(digest.readBigUInt64BE() % CHECK_VALUES)).padStart(CHECK_LENGTH, BASE62.charAt(0));
}

/** True when one of the keys created the check characters of the token, or the format does not verify them. */
export function hasValidCheck(token: string, { prefix, key, previousKeys, verifiesCheck, kind }: TokenFormat): boolean {
  if (!verifiesCheck) return true;
  const id = tokenIdOf(token, prefix);
  const checkAt = prefix.length + 1 + SECRET_LENGTH + ID_LENGTH;
  const check = token.slice(checkAt, checkAt + CHECK_LENGTH);
  const keys = key === null ? previousKeys : [key, ...previousKeys];
  return id !== null && keys.some((one) => checkOf(id, one, kind) === check);
}

/** The token id in a token; null when the text does not have the format of a token. Does not verify the check characters. */
export function tokenIdOf(token: string, prefix: string): string | null {
  return bodyOf(token, prefix)?.slice(SECRET_LENGTH, SECRET_LENGTH + ID_LENGTH) ?? null;
}

/** CRC-32 (IEEE) of the body in base 62, most significant digit first, unpadded: 1 to 6 characters. */
export function checksumOf(body: string): string {
  return base62(crc32(body));
}

function base62(value: number): string {
  let rest = value;
  let text = '';
  do {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  } while (rest > 0);
  return text;
}

/** Checks the format and the checksum of a token without storage access and without a key. */
export function isWellFormedToken(token: string, prefix: string): boolean {
  const body = bodyOf(token, prefix);
  return body !== null && token.slice(prefix.length + BODY_LENGTH + 2) === checksumOf(body);
}

/** The fault of a malformed token: its format, or only its checksum. */
export function tokenFault(text: string, prefix: string): 'malformed' | 'checksum' {
  return bodyOf(text, prefix) === null ? 'malformed' : 'checksum';
}

/** The characters between the prefix and the checksum; null when the text does not have the format of a token. */
function bodyOf(text: string, prefix: string): string | null {
  if (!text.startsWith(`${prefix}_`)) return null;
  const rest = text.slice(prefix.length + 1);
  const body = rest.slice(0, BODY_LENGTH);
  return rest.charAt(BODY_LENGTH) === '_' && /^[A-Za-z0-9]{43}$/.test(body) ? body : null;
}

/** The public part of a token: prefix and the first 8 characters of the body, which belong to the secret. */
export function displayPrefix(token: string): string {
  return token.slice(0, token.indexOf('_') + 1 + DISPLAYED_BODY_LENGTH);
}

/** Shorter keys are open to brute force: a token shows its id and its check characters. */
const MIN_KEY_LENGTH = 32;
/** Key of development and test, so that a token works in every local database. */
const DEVELOPMENT_KEY = 'key of development tokens, 32 or more';
const RETRY_SECONDS = 3600;

interface Vars {
  ENVIRONMENT?: string | undefined;
  TOKEN_PREFIX?: string | undefined;
  TOKEN_KEY?: string | undefined;
  TOKEN_KEY_PREVIOUS?: string | undefined;
  TOKEN_CHECK?: string | undefined;
}

/** The token format of a deployment. In production `key` is null while `TOKEN_KEY` is missing or too short. */
export function tokenFormatFrom(vars: Vars): TokenFormat {
  const { isNonProduction } = readEnvironment({ ENVIRONMENT: vars.ENVIRONMENT ?? '' });
  const given = vars.TOKEN_KEY?.trim() ?? '';
  const fallback = isNonProduction ? DEVELOPMENT_KEY : null;
  return {
    prefix: vars.TOKEN_PREFIX ?? '',
    key: given.length >= (isNonProduction ? 1 : MIN_KEY_LENGTH) ? given : fallback,
    previousKeys: (vars.TOKEN_KEY_PREVIOUS ?? '')
      .split(',')
      .map((key) => key.trim())
      .filter((key) => key !== ''),
    verifiesCheck: vars.TOKEN_CHECK?.trim() !== 'off',
  };
}

/** 503 while `TOKEN_KEY` is missing: tokens can be neither created nor checked. */
export function tokensNotConfigured(): ApiError {
  return new ApiError('service_unavailable', 'API tokens are not configured', { headers: { 'Retry-After': String(RETRY_SECONDS) } });
}

/**
 * SHA-256 of a token in lower-case hex: the only stored form of a token. Lookup by hash leaks no timing about the token. A fast
 * hash is sufficient for a 256-bit random secret.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

interface TokenRowInput {
  userId: string;
  name: string;
  /** Scope mask; 0 is every scope. */
  scopes: number;
  allowedIps: readonly string[];
  expiresAt: UnixSeconds | null;
  now: UnixSeconds;
  format: TokenFormat;
}

/** A new secret of a token with the columns that identify it. The secret is shown once. */
interface MintedSecret {
  secret: string;
  hashedToken: string;
  prefix: string;
}

const SALT_BYTES = 16;

/** Creates a secret for a token id. Throws 503 without `TOKEN_KEY`. */
export function mintSecret(id: string, { prefix, key, kind }: TokenFormat, random: RandomBytes = randomBytes): MintedSecret {
  if (key === null) throw tokensNotConfigured();
  const secret = createTokenSecret(prefix, key, id, random, kind);
  return { secret, hashedToken: hashToken(secret), prefix: displayPrefix(secret) };
}

/**
 * Creates a token: the secret, which is shown once, and the row to store. Throws `RangeError` for an invalid allowlist entry, and 503
 * without `TOKEN_KEY`.
 */
export function createTokenRow(request: TokenRowInput, random: RandomBytes = randomBytes): { secret: string; row: ApiTokenRow } {
  const id = createTokenId(random);
  const { secret, hashedToken, prefix } = mintSecret(id, request.format, random);
  const ipSalt = randomBytes(SALT_BYTES).toString('base64url');
  return {
    secret,
    row: {
      id,
      userId: request.userId,
      name: request.name,
      prefix,
      hashedToken,
      previousHash: null,
      previousUntil: null,
      version: 0,
      scopes: request.scopes,
      ipSalt,
      allowlist: createAllowlist(request.allowedIps, ipSalt),
      revoked: false,
      revokedAt: null,
      revokeReason: null,
      expiresAt: request.expiresAt,
      createdAt: request.now,
      lastUsedAt: null,
      rotatedAt: null,
      requestCount: 0,
      usageSequence: 0,
      expiryWarned: false,
      expiryNotices: 0,
    },
  };
}
