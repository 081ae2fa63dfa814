import { biomeRotations, timers } from '../../src/areas/rotations/rotations.resources.ts';

/** The rotations that are computed from the clock, with the paths of their endpoints. */
export const COMPUTED_ROTATIONS = [...timers, ...biomeRotations];
