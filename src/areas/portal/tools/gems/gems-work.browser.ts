import { seededRandom } from '../../../../platform/kit/random.ts';
import { serveWork } from '../frame/worker.browser.ts';
import { type Spread, type SpreadInput, spreadToMaximum } from './gem-spread.domain.ts';

/** The same gem has the same chart in every browser. */
const SEED = 'spread';

serveWork<SpreadInput, Spread[]>((input, progress) => spreadToMaximum(input, seededRandom(SEED), progress));
