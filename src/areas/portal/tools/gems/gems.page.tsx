import type { FC } from 'hono/jsx';
import { toolNamed } from '../../../../platform/http/pages/menu.data.ts';
import { DataTable } from '../../../../platform/http/pages/parts.tsx';
import {
  BOOSTERS,
  COSMIC,
  type ElementId,
  LESSER,
  LIGHT,
  STATS,
  TIERS,
  type TierId,
  TYPES,
  type TypeId,
  WATER,
} from '../../../gems/gem.data.ts';
import { ROLL_STAT_IDS, TIER_IDS, TYPE_IDS } from '../../../gems/gem-input.domain.ts';
import { calculateLevelCosts } from '../../../gems/levels/level-costs.domain.ts';
import { calculateStatRange } from '../../../gems/simulator/gem-tables.domain.ts';
import type { OpenPage } from '../../layout/layout.page.tsx';
import { toolPreview } from '../../previews/previews.service.ts';
import { FoldedTable, toolPage } from '../frame/tool-page.page.tsx';
import { gemCard } from './gem-card.domain.ts';

/** The tier whose level costs depend on type and element. */
const MYSTIC: TierId = 4;

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** `/tools/gems`. `code`: the gem of a link with a preview. */
export function gemsToolPage(baseUrl: string, code: string | undefined): OpenPage {
  const tool = toolNamed('gems');
  return toolPage({
    tool,
    baseUrl,
    preview: previewOf(baseUrl, code),
    hasWorkers: true,
    tables: (
      <>
        {TIER_IDS.map((tier) => (
          <FoldedTable title={`Stats of ${TIERS[tier].name} gems`}>
            <StatRanges tier={tier} />
          </FoldedTable>
        ))}
        {TIER_IDS.flatMap(kindsOf).map((kind) => (
          <FoldedTable title={`Levels of ${kind.name}`}>
            <LevelCosts {...kind} />
          </FoldedTable>
        ))}
        <FoldedTable title="Boosters">
          <DataTable
            label="Boosters"
            head={['Booster', 'Chance', 'Chance of two levels']}
            rows={Object.values(BOOSTERS).map(({ name, chance, double }) => [name, `× ${chance}`, `× ${double}`])}
            isNumeric
          />
        </FoldedTable>
      </>
    ),
    how: <How />,
    endpoints: [
      { title: 'Roll a gem', tag: 'gems', operationId: 'generateGem' },
      { title: 'Evaluate a gem', tag: 'gems', operationId: 'evaluateGem' },
      { title: 'Level costs', tag: 'gems', operationId: 'getGemLevelCosts' },
      { title: 'Attempt a level-up', tag: 'gems', operationId: 'levelUpGem' },
    ],
  });
}

function previewOf(baseUrl: string, code: string | undefined) {
  const tool = toolNamed('gems');
  const card = code === undefined ? null : gemCard(code);
  if (code === undefined || card === null) return toolPreview(tool, baseUrl);
  const query = new URLSearchParams({ gem: code });
  const text = `${card.facts.join(', ')}. ${card.text}.`;
  const preview = toolPreview({ ...tool, title: card.title, text }, baseUrl, `/og/tools/gem.png?${query}`);
  return { ...preview, url: `${preview.url}?${query}` };
}

interface Kind {
  tier: TierId;
  type: TypeId;
  element: ElementId;
  name: string;
}

/** Kinds of gems with level costs of their own. Below Mystic they depend on the tier alone. */
function kindsOf(tier: TierId): Kind[] {
  if (tier !== MYSTIC) return [{ tier, type: LESSER, element: WATER, name: `${TIERS[tier].name} gems` }];
  return TYPE_IDS.flatMap((type) => [
    { tier, type, element: WATER, name: `${TIERS[tier].name} ${TYPES[type]} gems` },
    { tier, type, element: COSMIC, name: `Cosmic ${TIERS[tier].name} ${TYPES[type]} gems` },
  ]);
}

const StatRanges: FC<{ tier: TierId }> = ({ tier }) => {
  const { maxLevel, name } = TIERS[tier];
  const cell = (type: TypeId, stat: (typeof ROLL_STAT_IDS)[number], level: number) => {
    const { min_value: min, max_value: max } = calculateStatRange({
      tier,
      type,
      stat_type: stat,
      level,
      element: stat === LIGHT ? COSMIC : WATER,
    });
    return `${numbers.format(min)} – ${numbers.format(max)}`;
  };
  return (
    <DataTable
      label={`Stats of ${name} gems without boosts`}
      head={['Stat, without boosts', ...TYPE_IDS.flatMap((type) => [`${TYPES[type]}, level 1`, `${TYPES[type]}, level ${maxLevel}`])]}
      rows={ROLL_STAT_IDS.map((stat) => [STATS[stat], ...TYPE_IDS.flatMap((type) => [cell(type, stat, 1), cell(type, stat, maxLevel)])])}
      isNumeric
    />
  );
};

const LevelCosts: FC<Kind> = ({ tier, type, element, name: kind }) => (
  <DataTable
    label={`Levels of ${kind}`}
    head={['Level', 'Chance', 'Attempts, average', 'Attempts, at most', 'Materials of one attempt']}
    rows={calculateLevelCosts({ tier, type, element }).levels.map((row) => [
      String(row.level),
      `${numbers.format(row.chance * 100)} %`,
      numbers.format(row.expected_attempts),
      String(row.max_attempts),
      row.cost.map(({ name, count }) => `${numbers.format(count)} ${name}`).join(', '),
    ])}
  />
);

const How: FC = () => (
  <>
    <p>
      A stat is a sum: each container has a position between the lowest and the highest roll of the tier and type, and each level adds a
      fixed step. Levels 5, 10 and 15 add a container to a random stat, a boost. A focus raises the first container that is not full by 2.5,
      5 or 12.5 percent of its range. Quality is the mean position of all containers.
    </p>
    <p>
      Value = base × (low + (high − low) × position) × containers + base × steps. Power Rank adds for each container its share between two
      measured numbers, the steps of all three stats, and 100 for an Empowered gem.
    </p>
    <p>
      A level-up succeeds with the chance of its level times the booster. Each failure fills the karma bar by the sum of both chances in
      percent, rounded down; the failure that fills it gains the level. Expected costs are exact, with double levels and karma; the spread
      is simulated.
    </p>
    <p>
      The evaluator tries every split of the boosts and takes the one that fits the three values best, as the game shows rounded values. It
      assumes the boosts of the level. From percentages it takes the boosts that you choose, and each percentage counts once for every
      container of its stat.
    </p>
    <p>
      All gems of a character: each stat is the sum of the twelve gems times 1.1, the bonus of a full set, and so is the Power Rank, rounded
      for each gem. The rest of the character and the coefficient are those of the build optimizer.
    </p>
    <p>
      Source: chances, materials, rolls and steps are those of the files of the game. The two numbers of the Power Rank are measured by
      players. Health Regen of Crystal and Mystic gems is inferred from Max Health. The cost of a flare is not known: none is counted.
    </p>
  </>
);
