import type { AreaContext } from '../../../platform/area/area.ts';
import { createContentStore } from '../../../platform/storage/content-store.ts';
import { createDumpWrites } from '../changes/dumps.store.ts';
import { createTranslationWrites } from '../languages/translations.store.ts';
import { createClassFigureStore } from './class-figures.service.ts';
import { createCodexWrites } from './codex-writes.store.ts';
import type { CodexIndexParts } from './index-run.service.ts';

/** Dependencies of the index object. */
export function createCodexIndexParts({ db, env, ports }: AreaContext): CodexIndexParts {
  const contents = createContentStore(env.ARCHIVE);
  return {
    source: { ...ports.archive, readContent: contents.bytes, openContent: contents.open },
    writes: createCodexWrites(db),
    translations: createTranslationWrites(db),
    dumps: createDumpWrites(db, contents),
    classFigures: createClassFigureStore(env.ARCHIVE),
    contents,
    baseUrl: env.BASE_URL,
  };
}
