import { Buffer } from 'node:buffer';
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { passwordWork } from '../../kit/heavy-work.ts';

/** Cost of a hash: memory is 128 x N x r bytes (16 MiB), p repeats the work. */
export interface PasswordCost {
  n: number;
  r: number;
  p: number;
}

/** OWASP's scrypt setting with 16 MiB of memory, which suits an isolate of 128 MB. */
const COST: PasswordCost = { n: 16_384, r: 8, p: 5 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
/** Upper bound of the cost of a stored hash: a corrupt row must not exhaust the isolate. */
const MAX_COST = { n: 65_536, r: 16, p: 10 };

const STORED = /^scrypt\$(\d{1,6})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

/** Processor time of one hash in milliseconds. */
const HASH_MS = 150;

/** Result of a password check, and whether the hash must be renewed because the cost has changed. */
export interface PasswordCheck {
  isCorrect: boolean;
  needsRehash: boolean;
}

/** Hashes passwords with scrypt. A stored hash names its algorithm and cost. Throws 503 when too many hashes are queued. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** `stored` is null for an account that does not exist: the check takes the same time and returns false. */
  check(password: string, stored: string | null): Promise<PasswordCheck>;
}

export function createPasswords(cost: PasswordCost = COST): Passwords {
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const key = await passwordWork.run(HASH_MS, () => derive(password, salt, cost, KEY_BYTES));
      return ['scrypt', cost.n, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
    },

    async check(password, stored) {
      const parsed = stored === null ? null : parseHash(stored);
      const { salt, key, ...storedCost } = parsed ?? { ...cost, salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(KEY_BYTES) };
      const derived = await passwordWork.run(HASH_MS, () => derive(password, salt, storedCost, key.length));
      const isCorrect = timingSafeEqual(derived, key) && parsed !== null;
      const isCurrent = storedCost.n === cost.n && storedCost.r === cost.r && storedCost.p === cost.p;
      return { isCorrect, needsRehash: isCorrect && !isCurrent };
    },
  };
}

function derive(password: string, salt: Buffer, { n, r, p }: PasswordCost, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, length, { N: n, r, p, maxmem: MAX_MEMORY_BYTES }, (error, key) =>
      error ? reject(error) : resolve(Buffer.from(key)),
    );
  });
}

/** The parts of a stored hash; null when it is malformed or its cost is out of bounds. */
function parseHash(stored: string): (PasswordCost & { salt: Buffer; key: Buffer }) | null {
  const [, n, r, p, salt = '', key = ''] = STORED.exec(stored) ?? [];
  const parts = { n: Number(n), r: Number(r), p: Number(p), salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') };
  const isSane = parts.n <= MAX_COST.n && parts.r <= MAX_COST.r && parts.p <= MAX_COST.p && parts.key.length >= SALT_BYTES;
  return isSane ? parts : null;
}
