import type { Bindable } from '../../platform/area/resource.ts';
import { biomes, stampy, wildMana } from './computed/biomes.resource.ts';
import { dailyBuffs, weeklyBuffs } from './computed/buffs.resource.ts';
import { gardening } from './computed/gardening.resource.ts';
import { corruxion, fluxion } from './computed/merchants.resource.ts';
import { serverTime } from './computed/server-time.resource.ts';

/** Resources that depend only on the time, in the order of the document. The snapshot has other parts between the two lists. */
export const timers: readonly Bindable[] = [serverTime, dailyBuffs, weeklyBuffs, corruxion, fluxion, gardening];
export const biomeRotations: readonly Bindable[] = [biomes, wildMana, stampy];
