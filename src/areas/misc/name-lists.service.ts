import { ApiError, badRequest, notFound, validationError } from '../../platform/kit/errors/api-error.ts';
import { createRevalidatingCache } from '../../platform/storage/memory-caches.ts';
import type { NameList } from './name-lists.store.ts';

/** Cache TTL in seconds, in the isolate and for clients (specification "Limits": supporters 5 minutes). */
export const INTEREST_ITEMS_TTL_SECONDS = 30;
export const SUPPORTERS_TTL_SECONDS = 300;

/** A list of names, cached for clients and editable by administrators. */
export interface NameListService {
  /** The cached list. */
  cachedNames(): string[] | Promise<string[]>;
  /** The stored list. */
  names(): Promise<string[]>;
  /** Throws 400 for an empty name, 409 for a listed one, 422 for a malformed one. */
  add(raw: string): Promise<string[]>;
  /** Throws 404. */
  remove(name: string): Promise<string[]>;
  /** Replaces the list. Names are trimmed and duplicates removed. Throws 400 for an empty list or name. */
  replace(raw: readonly string[]): Promise<string[]>;
}

/** `ttlSeconds`: cache TTL in an isolate. Changes through the same isolate are visible immediately. */
export function createNameListService(list: NameList, ttlSeconds: number): NameListService {
  const cache = createRevalidatingCache(() => list.publicNames(), ttlSeconds * 1000);

  function listAfterChange(): Promise<string[]> {
    cache.invalidate();
    return list.names();
  }

  return {
    cachedNames: cache.get,
    names: () => list.names(),

    async add(raw) {
      const name = requireName(raw, ['body', 'name']);
      if (!(await list.add(name))) throw new ApiError('conflict', `${name} is already on the list`);
      return listAfterChange();
    },

    async remove(name) {
      if (!(await list.remove(name))) throw notFound(`${name} is not on the list`);
      return listAfterChange();
    },

    async replace(raw) {
      const names = [...new Set(raw.map((name, index) => requireName(name, ['body', 'names', index])))];
      if (names.length === 0) throw badRequest('names must not be empty');
      await list.replace(names);
      return listAfterChange();
    },
  };
}

function requireName(raw: string, loc: (string | number)[]): string {
  const check = checkListName(raw);
  if (check.ok) return check.name;
  if (check.fault === 'empty') throw badRequest('name must not be empty');
  throw validationError([
    { loc, msg: `must have at most ${MAX_NAME_LENGTH} characters and no control characters`, type: 'invalid_format' },
  ]);
}

/** Maximum length of a name in UTF-16 code units. */
const MAX_NAME_LENGTH = 200;

type NameCheck = { ok: true; name: string } | { ok: false; fault: 'empty' | 'malformed' };

/** Trims and checks a name. `malformed`: too long, or contains control characters. */
function checkListName(raw: string): NameCheck {
  const name = raw.trim();
  if (name === '') return { ok: false, fault: 'empty' };
  if (name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name) || !name.isWellFormed()) return { ok: false, fault: 'malformed' };
  return { ok: true, name };
}
