import { facts, h, number } from '../../../../assets/ui/dom.js';
import { createRandomInts } from '../../../../platform/kit/random.ts';
import { AUGMENTS, type AugmentId, type RollStatId } from '../../../gems/gem.data.ts';
import type { CostRow } from '../../../gems/gem.domain.ts';
import { AUGMENT_IDS } from '../../../gems/gem-input.domain.ts';
import { card, segmented } from '../frame/controls.browser.ts';
import { cheapestWays, type FocusTotals, isPercentStat } from './gem-check.domain.ts';
import { LINKED_GEM_ID } from './gem-code.domain.ts';

/** The rolls of the game are random: those of the simulator come from the browser. */
export const rolls = { random: createRandomInts(), newId: () => LINKED_GEM_ID };

const percents = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const values = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/** A share from 0 to 1 as percent. */
export const percentText = (share: number) => `${percents.format(share * 100)} %`;

/** A value of a stat as the game shows it. */
export const valueText = (stat: RollStatId, value: number) => `${values.format(value)}${isPercentStat(stat) ? ' %' : ''}`;

export const focusChoice = (change: (id: AugmentId) => void) =>
  segmented({
    label: 'Focus',
    options: AUGMENT_IDS.map((id) => ({ value: id, label: `${AUGMENTS[id].name.replace(' Focus', '')}, ${AUGMENTS[id].percent} %` })),
    change,
  });

/** Materials in words: `96 Flux, 64 Water Gem Dust`. */
export const costText = (cost: readonly CostRow[]) =>
  cost.length === 0 ? 'nothing' : cost.map(({ name, count }) => `${number(count)} ${name}`).join(', ');

/** Materials as a list, one a line. */
export const costList = (cost: readonly CostRow[]) =>
  h('dl', { className: 'facts amounts' }, ...facts(cost.map(({ name, count }) => [name, number(count)] as const)));

/** `bound_brilliance` in words. */
const materialName = (key: string) =>
  key
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

/** The ways to fill every stat with focuses. */
export function waysCard(totals: readonly FocusTotals[]): HTMLElement {
  const ways = cheapestWays(totals);
  if (ways.every(({ total }) => total === 0)) return card('To perfect', h('p', {}, 'Every stat is at its maximum.'));
  return card(
    'To perfect, with focuses',
    h(
      'ul',
      { className: 'ways' },
      ...ways.map((way) =>
        h(
          'li',
          {},
          h(
            'p',
            {},
            h('b', {}, way.label),
            way.isCheapest ? h('span', { className: 'badge good' }, 'least flux') : null,
            way.isFewest ? h('span', { className: 'badge' }, 'fewest focuses') : null,
          ),
          h('p', {}, focusesText(way)),
          h(
            'p',
            { className: 'hint' },
            Object.entries(way.recipe_totals)
              .map(([key, count]) => `${number(count)} ${materialName(key)}`)
              .join(', '),
          ),
        ),
      ),
    ),
  );
}

function focusesText({ superior, precise, rough, total }: FocusTotals): string {
  const parts = [
    [superior, 'Superior'],
    [precise, 'Precise'],
    [rough, 'Rough'],
  ] as const;
  const named = parts.filter(([count]) => count > 0).map(([count, name]) => `${number(count)} ${name}`);
  return `${named.join(' + ')}${named.length > 1 ? ` = ${number(total)}` : ''} ${total === 1 ? 'Focus' : 'Focuses'}`;
}
