import { validationError } from '../../../platform/kit/errors/api-error.ts';
import { createRevalidatingCaches } from '../../../platform/storage/memory-caches.ts';
import { ENGLISH, languageCode } from '../languages.domain.ts';
import type { CodexesStore } from './codexes.store.ts';

/** Cache TTL of the languages of a branch in the isolate. */
const LANGUAGES_TTL_MS = 60_000;
const MAX_CACHED_BRANCHES = 8;

/** Checks languages of requests against those of a branch. */
export function createLanguages(store: Pick<CodexesStore, 'listLanguages'>) {
  const cached = createRevalidatingCaches((branch: string) => store.listLanguages(branch), LANGUAGES_TTL_MS, MAX_CACHED_BRANCHES);

  async function check(branch: string, code: string): Promise<void> {
    const isKnown = async () => (await cached.get(branch)).languages.some((language) => language.code === code);
    if (await isKnown()) return;
    // A language must be visible without the cache delay after its first build.
    cached.invalidate();
    if (await isKnown()) return;
    const allowed = (await cached.get(branch)).languages.map((language) => language.code);
    throw validationError([{ loc: ['query', 'lang'], msg: `must be one of: ${allowed.join(', ')}`, type: 'enum', allowed }]);
  }

  return {
    list: (branch: string) => store.listLanguages(branch),

    /** Codes of the languages of a branch, from the cache of the isolate. */
    listCodes: async (branch: string): Promise<string[]> => (await cached.get(branch)).languages.map(({ code }) => code),

    /**
     * Reads in the requested language, null for English, while it is checked. Throws 422 for a language that the branch does not have.
     */
    async read<Value>(branch: string, requested: string | undefined, read: (language: string | null) => Promise<Value>): Promise<Value> {
      const code = languageCode(requested ?? ENGLISH);
      if (code === ENGLISH) return await read(null);
      const [value] = await Promise.all([read(code), check(branch, code)]);
      return value;
    },
  };
}

export type Languages = ReturnType<typeof createLanguages>;
