/**
 * One string per source of the live event stream: a message goes out when the string differs from the last one sent. It covers
 * every change of the REST body that is more than a countdown.
 */
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { gameDayStart } from '../../platform/time/game-calendar.ts';
import type { Challenge } from './captures/challenge.domain.ts';
import type { ChaosChest } from './captures/chaos-chest.domain.ts';
import type { BiomeRotations } from './computed/biome-rotations.domain.ts';
import { isWithin } from './computed/cycle.domain.ts';
import type { FluxionTimer, MerchantTimer } from './computed/merchants.domain.ts';

/** `challenge`: a window opens or closes, a name is captured or corrected. */
export function challengeStreamSignature(challenge: Pick<Challenge, 'startsAt' | 'active' | 'name'>): string {
  return `${challenge.startsAt}:${challenge.active}:${challenge.name ?? ''}`;
}

/** `chaos`: the week turns, the item changes. */
export function chaosChestStreamSignature(chest: Pick<ChaosChest, 'startsAt' | 'item'>): string {
  return `${chest.startsAt}:${chest.item?.name ?? ''}`;
}

/** `corruxion`: arrival and departure. */
export function corruxionStreamSignature(timer: Pick<MerchantTimer, 'startsAt' | 'active'>): string {
  return `${timer.startsAt}:${timer.active}`;
}

/** `fluxion`: arrival and departure. */
export function fluxionStreamSignature(timer: Pick<FluxionTimer, 'startsAt' | 'state'>): string {
  return `${timer.startsAt}:${timer.state}`;
}

/** `longshade`: the 3-hour biomes turn. */
export function biomesStreamSignature(biomes: BiomeRotations): string {
  return `${biomes.current.startsAt}`;
}

/** `wild_mana`: the week turns. */
export function wildManaStreamSignature(wildMana: BiomeRotations): string {
  return `${wildMana.current.startsAt}`;
}

/** `stampy`: a window opens or closes. */
export function stampyStreamSignature(stampy: BiomeRotations, now: UnixSeconds): string {
  return `${stampy.current.startsAt}:${isWithin(now, stampy.current)}`;
}

/** `daily_bonuses`: the game day turns. */
export function dailyBonusesStreamSignature(now: UnixSeconds): string {
  return `${gameDayStart(now)}`;
}
