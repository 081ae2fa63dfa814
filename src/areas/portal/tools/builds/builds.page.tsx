import { CLASSES, classStat } from '../../../../game/classes.domain.ts';
import { COEFFICIENT_FORMULA } from '../../../../game/coefficient.domain.ts';
import { toolNamed } from '../../../../platform/http/pages/menu.data.ts';
import { DataTable } from '../../../../platform/http/pages/parts.tsx';
import { ALLIES, type Buff, FOODS, GEM_SET } from '../../../gems/builds/builds.data.ts';
import type { OpenPage } from '../../layout/layout.page.tsx';
import { FoldedTable, toolPage } from '../frame/tool-page.page.tsx';
import { CHART_BRANCHES, nodeText } from './star-chart-layout.domain.ts';

const buffRow = ({ label, stats }: Buff) => [
  label.replace(/^\[.*?\] /, ''),
  stats.map(({ name, value, percentage }) => `${name} +${value}${percentage ? ' %' : ''}`).join(', ') || 'nothing that a build counts',
];

/** `/tools/builds`. */
export function buildsToolPage(baseUrl: string): OpenPage {
  const tool = toolNamed('builds');
  return toolPage({
    tool,
    baseUrl,
    hasWorkers: true,
    tables: (
      <>
        <FoldedTable title="Classes">
          <DataTable
            label="Classes"
            head={['Class', 'Damage', 'Base damage', 'Critical Damage %', 'Maximum Health']}
            rows={CLASSES.map((entry) => [
              entry.name,
              entry.damage_type,
              String(classStat(entry, `${entry.damage_type} Damage`)),
              String(classStat(entry, 'Critical Damage')),
              String(classStat(entry, 'Maximum Health')),
            ])}
            isNumeric
          />
        </FoldedTable>
        <FoldedTable title="Allies">
          <DataTable label="Allies" head={['Ally at level 30', 'Stats']} rows={ALLIES.map(buffRow)} />
        </FoldedTable>
        <FoldedTable title="Foods">
          <DataTable label="Foods" head={['Food', 'Stats']} rows={FOODS.map(buffRow)} />
        </FoldedTable>
        {CHART_BRANCHES.map(({ label, nodes }) => (
          <FoldedTable title={`Star chart: ${label}`}>
            <DataTable
              label={`Star chart: ${label}`}
              head={['Node', 'Gives', 'Path']}
              rows={nodes.map(({ node }) => [node.name, nodeText(node), <code>{node.path}</code>])}
            />
          </FoldedTable>
        ))}
      </>
    ),
    how: (
      <>
        <p>
          A full set has {GEM_SET.empowered.elemental} elemental and {GEM_SET.empowered.cosmic} Cosmic Empowered gems,{' '}
          {GEM_SET.lesser.elemental} elemental and {GEM_SET.lesser.cosmic} Cosmic Lesser gems, all of the highest tier and level and
          perfectly rolled, with {GEM_SET.boostsPerGem} boosts each. A layout says where the boosts are: <b>8/1/2/16</b> is 8 boosts on
          damage and 1 on Critical Damage of the elemental Empowered gems, then 2 and 16 of the elemental Lesser gems.
        </p>
        <p>
          Damage and Critical Damage are the sums of gear, class, dragons, options and gems, gems times {GEM_SET.multiplier}. The
          coefficient is the damage of a critical hit: <code>{COEFFICIENT_FORMULA}</code>, here without the rounding down. Percentages of
          food are added to Critical Damage, percentages of an ally and of the star chart multiply it.
        </p>
        <p>
          All layouts are compared: 190 for Light and Health, 53,200 for Farm, of which the best 200 are shown. Farm builds may move boosts
          away from Light; with a target, layouts nearest to it come first. Third lines for health: of every way to fill the third line of
          the nine elemental gems, those that reach 100 % Critical Hit, most health first.
        </p>
        <p>
          Sources: the game files of the current build for gems, classes, allies and the star chart; fully equipped characters for the gear.
        </p>
      </>
    ),
    endpoints: [
      { title: 'build optimizer', tag: 'gems', operationId: 'calculateBuild' },
      { title: 'health optimizer', tag: 'gems', operationId: 'optimizeHealth' },
      { title: 'star chart', tag: 'gems', operationId: 'parseStarChart' },
    ],
  });
}
