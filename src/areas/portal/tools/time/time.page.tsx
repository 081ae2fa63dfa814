import { toolNamed } from '../../../../platform/http/pages/menu.data.ts';
import { DataTable } from '../../../../platform/http/pages/parts.tsx';
import type { Settings } from '../../../../platform/settings/settings.data.ts';
import { chatTimestampStyles, timeZones } from '../../../misc/time-zones.data.ts';
import type { OpenPage } from '../../layout/layout.page.tsx';
import { FoldedTable, toolPage } from '../frame/tool-page.page.tsx';

/** `/tools/time`. */
export function timeToolPage(baseUrl: string, { stampyPeriod }: Settings): OpenPage {
  const tool = toolNamed('time');
  return toolPage({
    tool,
    baseUrl,
    facts: { 'data-stampy-period': stampyPeriod },
    tables: (
      <>
        <FoldedTable title="Time stamps for chats">
          <DataTable
            label="Time stamps for chats"
            head={['Code', 'Shown as']}
            rows={chatTimestampStyles.map(({ style, label }) => [<code>{`<t:UNIX:${style}>`}</code>, label])}
          />
        </FoldedTable>
        <FoldedTable title="Time zones">
          <DataTable label="Time zones" head={['Zone', 'Id']} rows={timeZones.map(({ id, name }) => [name, <code>{id}</code>])} />
        </FoldedTable>
      </>
    ),
    how: (
      <>
        <p>
          The clock of the game is UTC−11 all year, without daylight saving time. A game day starts at 11:00 UTC, a game week on Monday at
          11:00 UTC. Source: the resets of the game, which players observe every day.
        </p>
        <p>
          Other zones follow the time zone database of your browser. A local time that occurs twice, because clocks are set back, is the
          first one. A local time that does not exist, because clocks are set forward, is read with the offset before the change.
        </p>
        <p>
          Merchants, biomes and bonuses repeat in fixed cycles from observed starts. Luxion, challenges and the chaos chest are not
          computable: <a href="/merchants">Merchants</a> and <a href="/live">Live</a> show what was reported.
        </p>
      </>
    ),
    endpoints: [
      { title: 'Convert a time', tag: 'misc', operationId: 'convertTime' },
      { title: 'Get server time', tag: 'rotations', operationId: 'getServerTime' },
    ],
  });
}
