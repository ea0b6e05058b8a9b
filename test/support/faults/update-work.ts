import { readReleaseKeys } from '@lintel/device-link/releases/release-keys';
import { installRelease } from '@lintel/device-link/updates/install-release';
import { planLaunch } from '@lintel/device-link/updates/launch-plan';
import { confirmed } from '@lintel/device-link/updates/slot-machine';
import { SlotFiles } from '@lintel/device-link/updates/slot-files';

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
