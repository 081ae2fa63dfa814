import { ELEMENTS, TYPES } from '../../../gems/gem.data.ts';
import type { PreviewCard } from '../../previews/preview-card.domain.ts';
import { viewBuilder } from './gem-builder.domain.ts';
import { isPercentStat } from './gem-check.domain.ts';
import { readGem } from './gem-code.domain.ts';

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** The link preview of a gem; null for a code that is not a gem. */
export function gemCard(code: string): Omit<PreviewCard, 'site'> | null {
  const gem = readGem(code);
  if (gem === undefined) return null;
  const { name, stats, gem: view } = viewBuilder(gem, null);
  return {
    kind: `${ELEMENTS[gem.element].name} ${TYPES[gem.type]} Gem`,
    title: name,
    fallbackTitle: 'Gem',
    text: stats.map((stat) => `${stat.name} ${numbers.format(stat.value)}${isPercentStat(stat.type) ? ' %' : ''}`).join(', '),
    facts: [`Level ${gem.level}`, `Quality ${numbers.format(view.quality * 100)} %`, `Power Rank ${numbers.format(view.power_rank)}`],
  };
}
