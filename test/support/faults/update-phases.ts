import { readReleasePublicKeys } from '@lintel/updates/release-files/release-keys';
import { confirmCandidateInSlots, decideAndSaveProgramLaunch, verifyAndUnpackRelease } from '@lintel/updates/testing';
import { ReleasesFolder } from '@lintel/updates/releases-folder';

export interface UpdatePhaseOptions {
  readonly program: string;
  /** Holds `releases`, `package` and the public keys. */
  readonly folder: string;
  readonly archive: string;
}

/** The phases of an update that write to the disk. */
export const updatePhases = {
  install: async ({ program, folder, archive }: UpdatePhaseOptions): Promise<void> => {
    const files = new ReleasesFolder(`${folder}/releases`);
    const machine = { program, arch: 'amd64', version: '1.0.0', floor: '1.0.0' };
    const installed = await verifyAndUnpackRelease(archive, { files, keys: readReleasePublicKeys(folder), machine });
    files.setPending({ id: 'wish', ...installed, rollout_id: null, before: null });
  },
  switch: async ({ folder }: UpdatePhaseOptions): Promise<void> => {
    const options = { releases: `${folder}/releases`, package: `${folder}/package`, trialSeconds: 300 };
    decideAndSaveProgramLaunch(options, () => undefined);
  },
  confirm: async ({ folder }: UpdatePhaseOptions): Promise<void> => {
    const files = new ReleasesFolder(`${folder}/releases`);
    files.write(confirmCandidateInSlots(files.read()));
    files.endTrial();
    files.prune();
  },
} as const;
export type UpdatePhase = keyof typeof updatePhases;
