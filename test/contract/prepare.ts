import { switchEverythingOn } from '../support/endpoints.ts';
import { seedStorage } from './seeds.ts';

// Before the first request of a test file, as the service keeps its settings for a while.
await switchEverythingOn();
await seedStorage();

// One line a request is more to collect than to answer; errors are still shown.
console.log = () => {};
