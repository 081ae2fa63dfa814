import { COEFFICIENT_FORMULA } from '../../../../game/coefficient.domain.ts';
import { toolNamed } from '../../../../platform/http/pages/menu.data.ts';
import { DataTable } from '../../../../platform/http/pages/parts.tsx';
import type { Settings } from '../../../../platform/settings/settings.data.ts';
import { DAMAGE_SOURCES, GEM_SET } from '../../../gems/builds/builds.data.ts';
import { KNOWN_STATS } from '../../../ocr/character-stats.data.ts';
import { GEAR_SOURCES, STAT_TABLES } from '../../../stats/stat-tables.data.ts';
import type { OpenPage } from '../../layout/layout.page.tsx';
import { FoldedTable, toolPage } from '../frame/tool-page.page.tsx';
import { SURE } from './character-tool.domain.ts';

/** `/tools/character`. `captchaSiteKey`: null without a captcha. */
export function characterToolPage(baseUrl: string, captchaSiteKey: string | null, { ocrVisitorMax }: Settings): OpenPage {
  const tool = toolNamed('character');
  const page = toolPage({
    tool,
    baseUrl,
    facts: { 'data-visitor-max': String(ocrVisitorMax), ...(captchaSiteKey === null ? {} : { 'data-captcha-sitekey': captchaSiteKey }) },
    tables: (
      <>
        <FoldedTable title="Stats of a sheet">
          <DataTable
            label="Stats of a sheet"
            isLong
            head={['Stat', 'Highest value', 'Also read as']}
            rows={KNOWN_STATS.map(({ labels: [name, ...others], max, kind }) => [
              name,
              `${max.toLocaleString('en')}${kind === 'percent' ? ' %' : ''}`,
              others.join(', ') || 'nothing else',
            ])}
          />
        </FoldedTable>
        <FoldedTable title="Power Rank of gear">
          <DataTable
            label="Power Rank of gear"
            head={['Source', 'Power Rank', 'Gear']}
            rows={STAT_TABLES['power-rank'].sources.map(({ name, value }) => [
              name,
              value.toLocaleString('en'),
              GEAR_SOURCES.has(name) ? 'yes' : 'no',
            ])}
          />
        </FoldedTable>
      </>
    ),
    how: (
      <>
        <p>
          The coefficient is the damage of a critical hit: <code>{COEFFICIENT_FORMULA}</code>.
        </p>
        <p>
          A boost adds its value times {GEM_SET.multiplier}, the bonus of a full set; damage of gems is also raised by the{' '}
          {DAMAGE_SOURCES.damagePercent.toFixed(0)} % that every fully equipped character has. The list compares one more boost of each kind
          on your sheet. Boosts of perfect gems of the highest tier.
        </p>
        <p>
          Numbers of a screenshot are read twice; values with a confidence of at least {SURE * 100} % are reliable, others should be
          compared with the crop beside them.
        </p>
        <p>Sources: the stat sheet of the game and the tables of Power Rank that players collected.</p>
      </>
    ),
    place: 'Only reading a screenshot uses the service: the image is sent, read and not stored. Everything else runs in your browser.',
    endpoints: [
      { title: 'reading a screenshot', tag: 'ocr', operationId: 'readCharacterSheet' },
      { title: 'coefficient', tag: 'stats', operationId: 'calculateCoefficient' },
    ],
  });
  return { ...page, captchaSiteKey };
}
