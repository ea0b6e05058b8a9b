import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that keep a processor busy. A long file that starts last would keep one worker busy while the others wait. */
const busyFolders = ['test/browser/', 'test/simulator/', 'test/image/', 'test/api/fuzz/'];
/** Long files that mostly wait for processes, disks and timers. */
const waitingFolders = ['test/faults/', 'test/updates/', 'test/operate/', 'test/hardware/', 'packages/drivers/src/'];

const isIn = (folders: readonly string[], { moduleId }: TestSpecification): boolean =>
  folders.some(folder => moduleId.includes(`/${folder}`));

const interleave = <T>(first: readonly T[], second: readonly T[]): T[] =>
  Array.from({ length: Math.max(first.length, second.length) }, (_, index) => [
    ...first.slice(index, index + 1),
    ...second.slice(index, index + 1),
  ]).flat();

/** Runs heavy files first, busy and waiting ones side by side, then other system tests, then the packages. */
export default class HeavyFilesFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const busy = sorted.filter(file => isIn(busyFolders, file));
    const waiting = sorted.filter(file => isIn(waitingFolders, file));
    const heavy = interleave(busy, waiting);
    const [system, packages] = [true, false].map(isSystem =>
      sorted.filter(file => !heavy.includes(file) && (file.project.name === 'system') === isSystem),
    );
    return [...heavy, ...system!, ...packages!];
  }
}
