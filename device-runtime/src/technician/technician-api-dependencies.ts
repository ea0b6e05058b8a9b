import type { Instant } from '@lintel/access-core/instant';
import type { ClaimService } from '@lintel/device-link/identity/claim-service';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import type { Controller } from '../controller/controller.ts';
import type { BridgeSessionStatus } from '../bridge-connection/bridge-session.ts';
import type { DigestKeySource } from '../credentials/digest-key-source-interface.ts';
import type { Log } from '@lintel/service/log-function-type';
import type { PowerStatusReader, ReplaceableReader } from '@lintel/drivers/interfaces';
import type { PcscReaderAssignments, PcscService } from '@lintel/drivers/pcsc';
import type { WallClock } from '../clock/wall-clock-interface.ts';
import type { ClockHistory } from './clock-history.ts';
import type { TechnicianLoginService, RequiredPassScope } from './login/technician-login-service.ts';
import type { RemoteTechnicianRequestTokens } from './login/remote-request-tokens.ts';
import type { SetupCodeThrottle } from './login/setup-code-throttle.ts';
import type { TechnicianPageCertificate } from '@lintel/crypto/tls/technician-page-certificate';
import type { HardwareProfileSwitcher } from './resolve-hardware-profile-choice.ts';
import type { TechnicianSessionRegistry } from './login/session-registry.ts';
import type { HardwareTestLog } from './hardware-test-log.ts';

export interface ClaimedControllerDetails extends RequiredPassScope {
  readonly bridge_url: string;
  /** Serial of the device certificate. */
  readonly serial: string;
  readonly certificate: string;
  readonly expires_at: Instant;
}

/** Dependencies of the technician API. */
export interface TechnicianApiDependencies {
  readonly controller: Controller;
  readonly wall: WallClock;
  readonly dataDir: string;
  readonly productId: string;
  readonly profile: Profile | null;
  readonly firmware: string;
  readonly power: PowerStatusReader;
  readonly digestKeyStorage: DigestKeySource['storage'];
  readonly certificate: Pick<TechnicianPageCertificate, 'name' | 'fingerprint'>;
  readonly hostNames: ReadonlySet<string>;
  readonly owner: () => ClaimedControllerDetails | null;
  /** Null for a controller without network. */
  readonly upstream: () => BridgeSessionStatus | null;
  /** Null when the controller cannot be claimed here. */
  readonly claimService: Pick<ClaimService, 'requestClaim' | 'pendingClaim' | 'failedClaim'> | null;
  readonly login: TechnicianLoginService;
  readonly sessions: TechnicianSessionRegistry;
  readonly remoteSessions: RemoteTechnicianRequestTokens;
  readonly testLog: HardwareTestLog;
  /** Null when the profile cannot be changed here. */
  readonly profiles: HardwareProfileSwitcher | null;
  readonly pcscReaders: PcscReaderAssignments;
  readonly createPcscService: () => PcscService;
  readonly replaceableReaders: () => readonly ReplaceableReader[];
  /** Folder of the built page. */
  readonly pagesDir: string;
  readonly throttle: SetupCodeThrottle;
  readonly clockHistory: ClockHistory;
  /** The last lines of the log, without secrets. */
  readonly logTail: () => readonly string[];
  readonly log: Log;
}
