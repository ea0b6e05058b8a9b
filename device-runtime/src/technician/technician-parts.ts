import type { DeviceId } from '@lintel/access-core/ids';
import type { Instant } from '@lintel/access-core/instant';
import type { Claiming } from '@lintel/device-link/identity/claiming';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import type { Controller } from '../controller/controller.ts';
import type { UplinkStatus } from '../uplink/uplink.ts';
import type { DigestKeySource } from '../credentials/digest-key-source.ts';
import type { Log } from '@lintel/service/log';
import type { PowerSupply } from '@lintel/drivers/ports/power-supply';
import type { WallClock } from '../clock/wall-clock.ts';
import type { ClockHistory } from './clock-history.ts';
import type { LoginService, Owner } from './login/login-service.ts';
import type { RemoteTechnicianSessions } from './login/remote-sessions.ts';
import type { LoginThrottle } from './login/login-throttle.ts';
import type { PageCertificate } from '@lintel/crypto/tls/page-certificate';
import type { ProfileSelection } from './profile-choice.ts';
import type { Sessions } from './login/sessions.ts';
import type { TestLog } from './test-log.ts';

export interface OwnerDevice extends Owner {
  readonly device_id: DeviceId;
  readonly bridge_url: string;
  /** Of the certificate that it shows the bridge. */
  readonly serial: string;
  readonly certificate: string;
  readonly expires_at: Instant;
}

/** What the technician's API is made of. */
export interface TechnicianParts {
  readonly controller: Controller;
  readonly wall: WallClock;
  readonly dataDir: string;
  readonly productId: string;
  readonly profile: Profile | null;
  readonly firmware: string;
  readonly power: PowerSupply;
  readonly digestKeyKeptIn: DigestKeySource['keptIn'];
  readonly certificate: Pick<PageCertificate, 'name' | 'fingerprint'>;
  readonly hostNames: ReadonlySet<string>;
  readonly owner: () => OwnerDevice | null;
  /** Null for a controller that stays for itself. */
  readonly upstream: () => UplinkStatus | null;
  /** Null where claiming is not to be done from here. */
  readonly claiming: Pick<Claiming, 'requestClaim' | 'pendingClaim' | 'endedClaim'> | null;
  readonly login: LoginService;
  readonly sessions: Sessions;
  readonly remoteSessions: RemoteTechnicianSessions;
  readonly tests: TestLog;
  /** Null where the profile is not to be chosen from here. */
  readonly profiles: ProfileSelection | null;
  /** Where the built page is. */
  readonly pagesDir: string;
  readonly throttle: LoginThrottle;
  readonly clockHistory: ClockHistory;
  /** The last lines of the log, without what must not be told. */
  readonly logTail: () => readonly string[];
  readonly log: Log;
}
