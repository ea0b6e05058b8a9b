import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose files take longest. A long file that starts last would keep one worker busy while the others wait. */
const heavyFolders = [
  'test/browser/',
  'test/simulator/',
  'test/updates/',
  'test/faults/',
  'test/image/',
  'test/api/fuzz/',
];

const rankOf = ({ moduleId, project }: TestSpecification): number => {
  if (project.name !== 'system') return heavyFolders.length + 1;
  const rank = heavyFolders.findIndex(folder => moduleId.includes(`/${folder}`));
  return rank === -1 ? heavyFolders.length : rank;
};

/** Runs heavy system tests first, then other system tests, then the packages. */
export default class HeavyFilesFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
