import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** Files that take longer than all others, the longest first. A fresh clone knows only their sizes, and most of these are short. */
const LONG_FILES = [
  'test/contract/access-and-fuzz.test.ts',
  'test/contract/conformance.test.ts',
  'test/contract/growth.test.ts',
  'test/contract/indexes.test.ts',
  'test/contract/crawl.test.ts',
  'test/contract/faults.test.ts',
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
