import { ApiError, badRequest, notFound, validationError } from '../../platform/errors/api-error.ts';
import { createRevalidatingCache } from '../../platform/storage/ttl-cache.ts';
import { checkListName, MAX_NAME_LENGTH } from './name-lists.domain.ts';
import type { NameList } from './name-lists.repository.ts';

/** A list of names as the service shows it and administrators change it. */
export interface NameListService {
  /** The list, up to its stated age old. */
  shown(): string[] | Promise<string[]>;
  /** The list as it is stored now. */
  names(): Promise<string[]>;
  /** Throws 400 for an empty name, 409 for one that is there, 422 for an unusable one. */
  add(raw: string): Promise<string[]>;
  /** Throws 404. */
  remove(name: string): Promise<string[]>;
  /** Replaces the list; names are trimmed and repeated ones dropped. Throws 400 for an empty list or name. */
  replace(raw: readonly string[]): Promise<string[]>;
}

/** `lifeSeconds`: how long an isolate shows what it read; a change made through it is shown by it at once. */
export function createNameListService(list: NameList, lifeSeconds: number): NameListService {
  const kept = createRevalidatingCache(() => list.names(), lifeSeconds * 1000);

  function changed(): Promise<string[]> {
    kept.invalidate();
    return list.names();
  }

  return {
    shown: kept.get,
    names: () => list.names(),

    async add(raw) {
      const name = requireName(raw, ['body', 'name']);
      if (!(await list.add(name))) throw new ApiError('conflict', `${name} is already on the list`);
      return changed();
    },

    async remove(name) {
      if (!(await list.remove(name))) throw notFound(`${name} is not on the list`);
      return changed();
    },

    async replace(raw) {
      const names = [...new Set(raw.map((name, index) => requireName(name, ['body', 'names', index])))];
      if (names.length === 0) throw badRequest('items must not be empty');
      await list.replace(names);
      return changed();
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
