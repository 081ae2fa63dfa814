import * as service from '../../src/index.ts';
import { createSimulator, wrapObjects } from './simulator.ts';

/** The distance between the tests and the bindings. */
export const simulator = createSimulator();

/** `withObjectExports` adds an export for each. */
export const objects = wrapObjects(service, simulator);

export default service.default;
