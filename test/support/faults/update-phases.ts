import { readReleaseKeys } from '@lintel/updates/release-files/release-keys';
import { installRelease } from '../../../packages/updates/src/install-release.ts';
import { decideAndSaveProgramLaunch } from '../../../packages/updates/src/plan-launch.ts';
import { confirmTrialCandidate } from '../../../packages/updates/src/update-slot-state.ts';
import { ReleaseFolder } from '@lintel/updates/slot-files';

export interface UpdatePhaseOptions {
  readonly program: string;
  /** Holds `releases`, `package` and the public keys. */
  readonly folder: string;
  readonly archive: string;
}

/** The phases of an update that write to the disk. */
export const updatePhases = {
  install: async ({ program, folder, archive }: UpdatePhaseOptions): Promise<void> => {
    const files = new ReleaseFolder(`${folder}/releases`);
    const machine = { program, arch: 'amd64', version: '1.0.0', floor: '1.0.0' };
    const installed = await installRelease(archive, { files, keys: readReleaseKeys(folder), machine });
    files.setPending({ id: 'wish', ...installed, rollout_id: null, before: null });
  },
  switch: async ({ folder }: UpdatePhaseOptions): Promise<void> => {
    const options = { releases: `${folder}/releases`, package: `${folder}/package`, trialSeconds: 300 };
    decideAndSaveProgramLaunch(options, () => undefined);
  },
  confirm: async ({ folder }: UpdatePhaseOptions): Promise<void> => {
    const files = new ReleaseFolder(`${folder}/releases`);
    files.write(confirmTrialCandidate(files.read()));
    files.endTrial();
    files.prune();
  },
} as const;
export type UpdatePhase = keyof typeof updatePhases;
