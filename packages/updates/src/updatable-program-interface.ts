import type { ReleaseDownloadRequest } from './release-files/stream-release-download.ts';
import type { CurrentProgramHealth } from './health-regressions.ts';
import type { IdleWaitOptions } from './wait-until-idle.ts';
import type { UpdateClock } from './update-clock-interface.ts';

export type ReleaseDownloadOptions = Pick<ReleaseDownloadRequest, 'bridgeUrl'> & {
  readonly httpOptions: Omit<ReleaseDownloadRequest['httpOptions'], 'signal'>;
};

/** A running program that can be replaced by another version. */
export interface UpdatableProgram {
  readonly clock: UpdateClock;
  /** Null while the address of the bridge is unknown. */
  bridgeAccess(): ReleaseDownloadOptions | null;
  /** Required time without activity before a restart. */
  readonly quietMs: number;
  waitUntilIdle(options: IdleWaitOptions): Promise<void>;
  /** Includes only faults that a version of the program can cause. */
  health(): Omit<CurrentProgramHealth, 'isReady'> & { readonly isServing: boolean };
  recordEvent(kind: 'updated' | 'update_rolled_back', text: string): void;
}
