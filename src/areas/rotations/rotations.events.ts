import { eventsOf } from '../../platform/area/resource.ts';
import { luxion } from './luxion/luxion.resource.ts';
import { challenge } from './reports/challenge.resource.ts';
import { chaosChest } from './reports/chaos-chest.resource.ts';
import { biomeRotations, timers } from './rotations.resources.ts';

/** Event types of the rotations. */
export const rotationEvents = eventsOf([challenge, chaosChest, ...timers, ...biomeRotations, luxion]);
