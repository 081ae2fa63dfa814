import type { FC } from 'hono/jsx';
import type { Branch } from '../../game/branches.data.ts';
import type { Ports } from '../../platform/area/area.ts';
import { formatCount } from '../../platform/http/pages/charts.tsx';
import { Choices, DataTable, Instant } from '../../platform/http/pages/parts.tsx';
import type { OpenPage } from './layout/layout.page.tsx';
import { MoreForAccounts } from './layout/layout.page.tsx';

type Versions = Awaited<ReturnType<Ports['updatePages']['versions']>>;
type VersionChanges = Awaited<ReturnType<Ports['updatePages']['version']>>;
type Version = VersionChanges['version'];

const BRANCH_TITLES: Readonly<Record<Branch, string>> = { 'live-us': 'Live servers', pts: 'Test server' };
const BYTES_PER_MIB = 1024 * 1024;
const sizeFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

const versionUrl = ({ branch, ordinal }: Pick<Version, 'branch' | 'ordinal'>) => `/updates/${branch}/${ordinal}`;
const titleOf = (branch: string) => BRANCH_TITLES[branch as Branch] ?? branch;

const Tag: FC<{ version: Version }> = ({ version }) => (
  <a class="nowrap" href={versionUrl(version)}>
    {version.versionTag}
  </a>
);

/** `/updates`. */
export function updatesPage(branch: Branch, branches: readonly Branch[], { rows, total }: Versions): OpenPage {
  const main = (
    <div class="figures">
      <h1>Game updates</h1>
      <p class="lead">Every build of the game that the archive has, newest first.</p>
      <Choices
        label="Branch"
        choices={branches.map((name) => ({ href: `/updates?branch=${name}`, title: titleOf(name), isCurrent: name === branch }))}
      />
      {rows.length === 0 ? (
        <p>No version yet.</p>
      ) : (
        <DataTable
          label="Versions"
          isNumeric
          head={['Version', 'Captured', 'Added', 'Modified', 'Removed', 'Size of new files']}
          rows={rows.map((version) => [
            <Tag version={version} />,
            <Instant at={version.capturedAt} />,
            formatCount(version.filesAdded),
            formatCount(version.filesModified),
            formatCount(version.filesRemoved),
            `${sizeFormat.format(version.bytesAdded / BYTES_PER_MIB)} MiB`,
          ])}
        />
      )}
      {total > rows.length ? (
        <p class="hint">
          The newest {rows.length} of {formatCount(total)}.
        </p>
      ) : null}
      <p class="links">
        <a href={`/v1/updates/${branch}/versions.atom`}>Feed of versions</a>
        <a href={`/codex/changes?branch=${branch}`}>Patch notes of the codex</a>
        <a href="/docs/webhooks">Get a message for each update</a>
        <a href="/docs/reference/updates">API reference</a>
      </p>
    </div>
  );
  return { title: 'Game updates', description: 'Every build of the game, with the number of its changes.', section: '/updates', main };
}

/** `/updates/{branch}/{ordinal}`: the target of feed entries. `isFull`: with the changed files, for signed-in accounts. */
export function updatePage({ version, counts, rows, total }: VersionChanges, isFull: boolean): OpenPage {
  const { branch, ordinal, versionTag, capturedAt, completedAt } = version;
  const main = (
    <div class="figures">
      <nav aria-label="Breadcrumb" class="crumbs">
        <a href={`/updates?branch=${branch}`}>Game updates, {titleOf(branch)}</a>
      </nav>
      <h1>{versionTag}</h1>
      <p class="lead">
        Captured <Instant at={capturedAt} isRelative />.{completedAt === null ? ' Its files are still being archived.' : ''}
      </p>
      <div class="totals">
        {(['added', 'modified', 'removed'] as const).map((kind) => (
          <p class="card">
            <span class="hint">Files {kind}</span>
            <b>{formatCount(counts[kind])}</b>
          </p>
        ))}
      </div>
      <p>
        <a href={`/codex/changes/${ordinal}?branch=${branch}`}>What changed in the codex</a>: items, mounts, recipes, field by field.
      </p>
      {isFull ? (
        <>
          <h2>Changed files</h2>
          {rows.length === 0 ? (
            <p>None.</p>
          ) : (
            <DataTable label="Changed files" head={['File', 'Change']} rows={rows.map(({ path, type }) => [<code>{path}</code>, type])} />
          )}
          {total > rows.length ? (
            <p class="hint">
              The first {rows.length} of {formatCount(total)}; the <a href="/docs/reference/updates#listChanges">API</a> has all.
            </p>
          ) : null}
        </>
      ) : (
        <MoreForAccounts path={versionUrl(version)} label="the changed files" />
      )}
    </div>
  );
  return { title: `${versionTag} · Game updates`, description: `Changes of the game in ${versionTag}.`, section: '/updates', main };
}
