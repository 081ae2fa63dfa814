import type { Card } from '../../../platform/kit/images/card.domain.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { namedValues } from '../../../platform/kit/values/named-values.ts';
import { corruxionAt, corruxionNextChangeAt, fluxionAt, fluxionNextChangeAt } from '../computed/merchants.domain.ts';
import { corruxionRules, fluxionRules } from '../schedules.data.ts';
import { weekdayText } from './badges.domain.ts';

/** Merchants with a card, named after their endpoints. */
export const CARD_NAMES = namedValues('MerchantCard', 'Merchant with a card.', ['corruxion', 'fluxion'] as const);
export type CardName = (typeof CARD_NAMES)[number];

const MAX_ROWS = 4;

const visitText = ({ startsAt, endsAt }: { startsAt: UnixSeconds; endsAt: UnixSeconds }) =>
  `${weekdayText(startsAt)} – ${weekdayText(endsAt)}`;

/** The card of a merchant with the next visits, and the time of its next change. */
export function merchantCard(name: CardName, now: UnixSeconds): { card: Card; changesAt: UnixSeconds } {
  const corruxion = { ...corruxionAt(now, corruxionRules), state: null, changesAt: corruxionNextChangeAt(now, corruxionRules) };
  const merchant =
    name === 'corruxion' ? corruxion : { ...fluxionAt(now, fluxionRules), changesAt: fluxionNextChangeAt(now, fluxionRules) };
  const { active, endsAt, state, schedule, changesAt } = merchant;
  const title = name === 'corruxion' ? 'Corruxion' : 'Fluxion';
  const later = schedule.slice(active ? 1 : 0).map((visit) => ({ label: 'Later', value: visitText(visit) }));
  const here = { label: state === null ? 'Here until' : `Here (${state}) until`, value: weekdayText(endsAt) };
  const [next, ...others] = later;
  const nextRow = next && { ...next, label: active ? 'Next visit' : 'Back' };
  const card: Card = {
    kind: 'Merchant',
    title: active ? `${title} is here` : `${title} is away`,
    rows: [...(active ? [here] : []), ...(nextRow ? [nextRow] : []), ...others].slice(0, MAX_ROWS),
    note: 'Dates in UTC',
  };
  return { card, changesAt };
}
