/**
 * Signatures of event stream sources. The stream sends a message when the signature changes. It covers every change of the body except
 * countdowns.
 */
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { gameDayStart } from '../../platform/kit/time/clock.ts';
import type { Challenge } from './captures/challenge.domain.ts';
import type { ChaosChest } from './captures/chaos-chest.domain.ts';
import type { BiomeRotations } from './computed/biome-rotations.domain.ts';
import { isWithin } from './computed/cycle.domain.ts';
import type { FluxionTimer, MerchantTimer } from './computed/merchants.domain.ts';

/** `challenge`: changes when a window opens or closes and when a name is reported or corrected. */
export function challengeStreamSignature(challenge: Pick<Challenge, 'startsAt' | 'active' | 'name'>): string {
  return `${challenge.startsAt}:${challenge.active}:${challenge.name ?? ''}`;
}

/** `chaos`: changes with the week and the item. */
export function chaosChestStreamSignature(chest: Pick<ChaosChest, 'startsAt' | 'item'>): string {
  return `${chest.startsAt}:${chest.item?.name ?? ''}`;
}

/** `corruxion`: changes on arrival and departure. */
export function corruxionStreamSignature(timer: Pick<MerchantTimer, 'startsAt' | 'active'>): string {
  return `${timer.startsAt}:${timer.active}`;
}

/** `fluxion`: changes on arrival and departure. */
export function fluxionStreamSignature(timer: Pick<FluxionTimer, 'startsAt' | 'state'>): string {
  return `${timer.startsAt}:${timer.state}`;
}

/** `longshade`: changes with the 3-hour biomes. */
export function biomesStreamSignature(biomes: BiomeRotations): string {
  return `${biomes.current.startsAt}`;
}

/** `wild_mana`: changes with the week. */
export function wildManaStreamSignature(wildMana: BiomeRotations): string {
  return `${wildMana.current.startsAt}`;
}

/** `stampy`: changes when a window opens or closes. */
export function stampyStreamSignature(stampy: BiomeRotations, now: UnixSeconds): string {
  return `${stampy.current.startsAt}:${isWithin(now, stampy.current)}`;
}

/** `daily_bonuses`: changes with the game day. */
export function dailyBonusesStreamSignature(now: UnixSeconds): string {
  return `${gameDayStart(now)}`;
}
