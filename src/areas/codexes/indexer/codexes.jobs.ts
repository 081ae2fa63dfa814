import type { Job } from '../../../platform/schedule/job.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { PARSER_VERSION } from '../parse/codex-parse.domain.ts';
import type { IndexStart } from './codex-index.object.ts';
import type { CodexSource } from './codex-source.ts';
import type { CodexWrites } from './codex-writes.repository.ts';

/** `atOnce` ends the pause after a failed step. */
export type IndexStarter = (branch: string, now: UnixSeconds, atOnce?: boolean) => Promise<IndexStart>;

export interface IndexJobDeps {
  branches: readonly string[];
  source: Pick<CodexSource, 'currentOrdinal'>;
  writes: Pick<CodexWrites, 'branch'>;
  startIndex: IndexStarter;
}

const EVERY_SECONDS = 300;
const TIMEOUT_SECONDS = 60;

/** Sees to it that what is indexed is of the newest version and of this parser, also after a deployment or a failed build. */
export function createIndexJob({ branches, source, writes, startIndex }: IndexJobDeps): Job {
  return {
    name: 'codexes-index',
    schedule: { everySeconds: EVERY_SECONDS },
    timeoutSeconds: TIMEOUT_SECONDS,
    availability: (settings) => (settings.featureCodexesEnabled ? 'enabled' : 'disabled'),
    async run({ now, isManual }) {
      for (const branch of branches) {
        const [ordinal, indexed] = await Promise.all([source.currentOrdinal(branch), writes.branch(branch)]);
        const isCurrent = (indexed?.ordinal ?? 0) === ordinal && (ordinal === 0 || indexed?.parser_version === PARSER_VERSION);
        if (!isCurrent) await startIndex(branch, now, isManual);
      }
    },
  };
}
