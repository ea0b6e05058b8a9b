import { readReleaseKeys } from '@lintel/updates/release-files/release-keys';
import { installRelease } from '../../../packages/updates/src/install-release.ts';
import { planLaunch } from '../../../packages/updates/src/launch-plan.ts';
import { confirmed } from '../../../packages/updates/src/slot-machine.ts';
import { SlotFiles } from '@lintel/updates/slot-files';

export interface UpdateParts {
  readonly program: string;
  /** Holds `releases`, `package` and the public keys. */
  readonly folder: string;
  readonly archive: string;
}

/** The parts of an update that write to the disk, each from its beginning to its end. */
export const updateWork = {
  install: async ({ program, folder, archive }: UpdateParts): Promise<void> => {
    const files = new SlotFiles(`${folder}/releases`);
    const machine = { program, arch: 'amd64', version: '1.0.0', floor: '1.0.0' };
    const installed = await installRelease(archive, { files, keys: readReleaseKeys(folder), machine });
    files.wish({ id: 'wish', ...installed, rollout_id: null, before: null });
  },
  switch: async ({ folder }: UpdateParts): Promise<void> => {
    const options = { releases: `${folder}/releases`, package: `${folder}/package`, trialSeconds: 300 };
    planLaunch(options, () => undefined);
  },
  confirm: async ({ folder }: UpdateParts): Promise<void> => {
    const files = new SlotFiles(`${folder}/releases`);
    files.write(confirmed(files.read()));
    files.endTrial();
    files.prune();
  },
} as const;
export type UpdateWork = keyof typeof updateWork;
