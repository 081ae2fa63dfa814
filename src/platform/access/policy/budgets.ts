import type { Budget } from '../../rate-limits/window.ts';
import type { Settings } from '../../settings/settings.data.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../time/clock.ts';
import type { TokenCounter } from '../tokens/token-gate.contract.ts';
import type { AddressBudget, BudgetGroup, SessionBudget } from './policy.ts';

/** Limits that are no settings: what little of these an honest person needs. */
const RESENDING = { limit: 5, windowSeconds: SECONDS_PER_HOUR };
/** Pictures an account may have drawn: each may take a second of processor time. */
const DRAWING = { limit: 60, windowSeconds: 60 };
/** Tokens an account may make a day. */
export const MINTING_LIMIT = 3;

/**
 * The budgets in force: anonymous (per address), token (per token), ingest (per token and endpoint), feedback (per address),
 * all feedback together, the portal's (per address), calls with a session, and some of them apart (per account), OCR (per token).
 */
export interface Budgets {
  anonymous(group: BudgetGroup): { budget: Budget; bucketPrefix: string };
  token(group: BudgetGroup): { budget: Budget; counter: TokenCounter };
  ingest: Budget;
  feedback: Budget;
  feedbackGlobal: Budget;
  address(name: AddressBudget): Budget;
  session: Budget;
  minting: Budget;
  drawing: Budget;
  export: Budget;
  'credential-change': Budget;
  /** Event streams open at once, of an address and of a token. */
  streams: { address: number; token: number };
  ocr: Budget;
}

const MULTIPLIERS = {
  codexes: 'codexesRateLimitMultiplier',
  'updates-file': 'updatesFileRateLimitMultiplier',
  'mods-catalog': 'modsCatalogRateLimitMultiplier',
  'videos-b-image': 'videosBImageRateLimitMultiplier',
} as const;

/** Bucket in which an account's requests are counted. */
export function sessionBudgetKey(budget: SessionBudget, userId: string): string {
  return `${budget}:${userId}`;
}

/** Derives the budgets from the settings; `scale` multiplies every limit (development and test only). */
export function budgetsFrom(settings: Settings, scale: number): Budgets {
  const scaled = (limit: number) => Math.max(1, Math.round(limit * scale));
  const anonymous = new Map<BudgetGroup, { budget: Budget; bucketPrefix: string }>();
  const token = new Map<BudgetGroup, { budget: Budget; counter: TokenCounter }>();

  const anonymousOf = (group: BudgetGroup) => {
    const { multiplier, isApart } = shareOf(settings, group);
    return {
      bucketPrefix: isApart ? `anon:${group}:` : 'anon:',
      budget: {
        name: isApart ? `anon-${group}` : 'anon',
        limit: scaled(settings.publicAnonRateLimitMax * multiplier),
        windowSeconds: settings.publicAnonRateLimitWindowSeconds,
      },
    };
  };
  const tokenOf = (group: BudgetGroup) => {
    const { multiplier, isApart } = shareOf(settings, group);
    const counter: TokenCounter = isApart && group !== 'standard' ? `token-${group}` : 'token';
    return {
      counter,
      budget: { name: counter, limit: scaled(settings.apiRateLimitMax * multiplier), windowSeconds: settings.apiRateLimitWindowSeconds },
    };
  };

  return {
    anonymous: (group) => memoized(anonymous, group, anonymousOf),
    token: (group) => memoized(token, group, tokenOf),
    ingest: { name: 'ingest', limit: scaled(settings.ingestCooldownMax), windowSeconds: settings.ingestCooldownWindowSeconds },
    feedback: { name: 'feedback', limit: scaled(settings.feedbackPerIpMax), windowSeconds: settings.feedbackPerIpWindowSeconds },
    feedbackGlobal: {
      name: 'feedback-global',
      limit: scaled(settings.feedbackGlobalMax),
      windowSeconds: settings.feedbackGlobalWindowSeconds,
    },
    address(name) {
      const { limit, windowSeconds } = addressLimit(settings, name);
      return { name, limit: scaled(limit), windowSeconds };
    },
    session: {
      name: 'session',
      limit: scaled(settings.sessionRateLimitMax),
      windowSeconds: settings.sessionRateLimitWindowSeconds,
    },
    export: {
      name: 'account-export',
      limit: scaled(settings.accountExportRateLimitMax),
      windowSeconds: settings.accountExportRateLimitWindowSeconds,
    },
    'credential-change': {
      name: 'credential-change',
      limit: scaled(settings.credentialChangeRateLimitMax),
      windowSeconds: settings.credentialChangeRateLimitWindowSeconds,
    },
    minting: { name: 'token-creation', limit: scaled(MINTING_LIMIT), windowSeconds: SECONDS_PER_DAY },
    streams: { address: scaled(settings.eventsStreamsPerAddressMax), token: scaled(settings.eventsStreamsPerTokenMax) },
    drawing: { name: 'drawing', limit: scaled(DRAWING.limit), windowSeconds: DRAWING.windowSeconds },
    ocr: { name: 'ocr', limit: scaled(settings.ocrRateLimitMax), windowSeconds: settings.ocrRateLimitWindowSeconds },
  };
}

function addressLimit(settings: Settings, name: AddressBudget): { limit: number; windowSeconds: number } {
  switch (name) {
    case 'signup':
      return { limit: settings.signupRateLimitMax, windowSeconds: settings.signupRateLimitWindowSeconds };
    case 'login':
    // Each try hashes a password, as a sign-in does.
    case 'mail-link':
      return { limit: settings.loginRateLimitMax, windowSeconds: settings.loginRateLimitWindowSeconds };
    case 'forgot-password':
      return { limit: settings.forgotPasswordRateLimitMax, windowSeconds: settings.forgotPasswordRateLimitWindowSeconds };
    case 'resend-verification':
      return RESENDING;
  }
}

/** Codexes always have buckets of their own; another group only when its multiplier is not 1. */
function shareOf(settings: Settings, group: BudgetGroup): { multiplier: number; isApart: boolean } {
  if (group === 'standard') return { multiplier: 1, isApart: false };
  const multiplier = settings[MULTIPLIERS[group]];
  return { multiplier, isApart: group === 'codexes' || multiplier !== 1 };
}

function memoized<Key, Value>(known: Map<Key, Value>, key: Key, compute: (key: Key) => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = compute(key);
  known.set(key, value);
  return value;
}
