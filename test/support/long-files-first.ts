import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/**
 * Files that take longer than all others. A fresh clone knows only their sizes, and most of these are short. The first one looks into all
 * objects of its runtime several times, so it comes before files that leave thousands.
 */
const LONG_FILES = [
  'test/worker/schedule/job-deaths.test.ts',
  'test/contract/access-and-fuzz.test.ts',
  'test/contract/conformance.test.ts',
  'test/contract/growth.test.ts',
  'test/worker/service-status/kill.test.ts',
];

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = LONG_FILES.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place < 0 ? LONG_FILES.length : place;
};

/** Starts the long files of each project first, so that no core is idle at the end of a run. */
export default class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...byProject.values()].flatMap((ofProject) => ofProject.sort((one, other) => placeOf(one) - placeOf(other)));
  }
}
