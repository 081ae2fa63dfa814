import { toolNamed } from '../../../../platform/http/pages/menu.data.ts';
import { DataTable } from '../../../../platform/http/pages/parts.tsx';
import { STAT_TABLES } from '../../../stats/stat-tables.data.ts';
import type { OpenPage } from '../../layout/layout.page.tsx';
import { FoldedTable, toolPage } from '../frame/tool-page.page.tsx';

/** `/tools/stats`. */
export function statsToolPage(baseUrl: string): OpenPage {
  const tool = toolNamed('stats');
  return toolPage({
    tool,
    baseUrl,
    tables: Object.values(STAT_TABLES).map(({ label, sources }) => (
      <FoldedTable title={`Sources of ${label}`}>
        <DataTable
          label={`Sources of ${label}`}
          head={['Source', 'Maximum']}
          rows={sources.map(({ name, value, percentage }) => [name, percentage ? `${value} %` : String(value)])}
          isNumeric
        />
      </FoldedTable>
    )),
    how: (
      <>
        <p>
          The sum of the amounts, times one plus the shares: sources in percent, and the Enlightened Buff, whose 0.01 is one percent. The
          sources with their maximum are those of the tables, in display units of the game. The tables do not say how shares combine: this
          tool adds them up.
        </p>
        <p>
          Worth is what the sum gains when you complete one source and keep all others. A share is therefore worth more the more you have.
        </p>
      </>
    ),
    endpoints: [
      { title: 'Power Rank sources', tag: 'stats', operationId: 'getPowerRankSources' },
      { title: 'Magic Find sources', tag: 'stats', operationId: 'getMagicFindSources' },
      { title: 'Light sources', tag: 'stats', operationId: 'getLightSources' },
    ],
  });
}
