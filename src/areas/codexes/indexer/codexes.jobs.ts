import type { Job } from '../../../platform/durable/schedule/job.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { PARSER_VERSION } from '../parse/codex-parse.domain.ts';
import type { IndexStart } from './codex-index.object.ts';
import type { CodexSource } from './codex-source.domain.ts';
import type { CodexWrites } from './codex-writes.store.ts';

/** `skipBackoff` retries a failed step immediately. */
export type IndexStarter = (branch: string, now: UnixSeconds, skipBackoff?: boolean) => Promise<IndexStart>;

interface IndexJobDeps {
  branches: readonly string[];
  source: Pick<CodexSource, 'currentOrdinal'>;
  writes: Pick<CodexWrites, 'findBranch'>;
  startIndex: IndexStarter;
}

const EVERY_SECONDS = 300;
const TIMEOUT_SECONDS = 60;

/** Starts a build if a branch is not indexed at its newest version by this parser version, e.g. after a deployment or a failed build. */
export function createIndexJob({ branches, source, writes, startIndex }: IndexJobDeps): Job {
  return {
    name: 'codexes-index',
    schedule: { everySeconds: EVERY_SECONDS },
    timeoutSeconds: TIMEOUT_SECONDS,
    availability: (settings) => (settings.featureCodexesEnabled ? 'enabled' : 'disabled'),
    async run({ now, isManual }) {
      for (const branch of branches) {
        const [ordinal, indexed] = await Promise.all([source.currentOrdinal(branch), writes.findBranch(branch)]);
        const isCurrent = (indexed?.ordinal ?? 0) === ordinal && (ordinal === 0 || indexed?.parser_version === PARSER_VERSION);
        if (!isCurrent) await startIndex(branch, now, isManual);
      }
    },
  };
}
