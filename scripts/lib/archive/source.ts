import { createReadStream, existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createHttpBuildSource, sourceRoot } from '../../../src/areas/updates/sync/build-source.upstream.ts';
import { type BuildSource, SourceFileMissingError } from '../../../src/areas/updates/sync/engine/build-files.domain.ts';
import { BRANCHES, type Branch } from '../../../src/game/branches.data.ts';
import { systemRandom } from '../../../src/platform/kit/random.ts';
import { createUpstreamClient } from '../../../src/platform/upstream/upstream-client.ts';
import type { UpstreamState } from '../../../src/platform/upstream/upstream-states.ts';
import { productionVars } from '../config.ts';
import { UserError } from '../main.ts';

/** The patch network at a URL, or its mirror in a folder. */
export function openSource(branch: Branch, from: string): BuildSource {
  return /^https?:\/\//.test(from) ? httpSource(branch, from) : folderSource(branch, from);
}

function httpSource(branch: Branch, from: string): BuildSource {
  const url = URL.parse(from);
  if (!url) throw new UserError(`--from ${from} is not a URL.`);
  const { UPDATES_SOURCE_PREFIX = '', UPSTREAM_USER_AGENT = '' } = productionVars();
  const prefix = url.pathname === '/' ? UPDATES_SOURCE_PREFIX : url.pathname;
  const states = new Map<string, UpstreamState>();
  const client = createUpstreamClient({
    userAgent: UPSTREAM_USER_AGENT,
    random: systemRandom,
    states: {
      find: async (source) => states.get(source) ?? null,
      save: async (state) => {
        states.set(state.source, state);
      },
    },
  });
  const root = sourceRoot(url.origin, prefix);
  return createHttpBuildSource({ branch, root, userAgent: UPSTREAM_USER_AGENT, client, random: systemRandom });
}

function folderSource(branch: Branch, folder: string): BuildSource {
  if (!existsSync(folder)) throw new UserError(`--from ${folder}: folder not found.`);
  return {
    async readPointer() {
      const file = join(folder, 'public', BRANCHES[branch].pointerFile);
      return existsSync(file) ? await readFile(file, 'utf8') : null;
    },

    async readManifest({ contentPath, versionTag }) {
      const file = join(folder, 'content', contentPath, `${versionTag}.manifest`);
      if (!existsSync(file)) throw new SourceFileMissingError(file);
      return Uint8Array.from(await readFile(file));
    },

    async openFile(contentPath, { path }, signal) {
      const file = join(folder, 'content', contentPath, 'recovery', path);
      const isThere = await stat(file).then(
        (found) => found.isFile(),
        () => false,
      );
      if (!isThere) throw new SourceFileMissingError(file);
      return createReadStream(file, { signal });
    },
  };
}
