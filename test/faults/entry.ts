import * as service from '../../src/index.ts';
import { wrapObjects } from '../distance/simulator.ts';
import { createInjector } from './injector.ts';

/** Between the tests and the bindings, and between the objects and theirs. */
export const injector = createInjector();

/** `withObjectExports` adds an export for each. */
export const objects = wrapObjects(service, injector);

export default service.default;
