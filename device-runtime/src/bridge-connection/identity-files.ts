import { type DeviceKeys, loadOrCreateDeviceKeys } from '@lintel/device-link/identity/device-keys';
import { isCertificateForKey } from '@lintel/device-link/identity/check-issued-certificate';
import { type DeviceEnrollment, EnrollmentFile } from '@lintel/device-link/identity/device-enrollment';

export interface EnrollmentWithKeys {
  readonly enrollment: DeviceEnrollment;
  readonly keys: DeviceKeys;
}

const WRONG_KEY = 'identity/key.pem is not the key of the certificate. The device must be claimed again';

/** The identity of the device on disk. Damaged files are reported; the controller then works as unclaimed. */
export class IdentityFileStore {
  readonly file: EnrollmentFile;
  readonly #dataDir: string;
  readonly #onProblem: (problem: string | null) => void;
  #keys: DeviceKeys | null = null;
  #current: EnrollmentWithKeys | null = null;

  constructor(dataDir: string, onProblem: (problem: string | null) => void) {
    this.#dataDir = dataDir;
    this.file = new EnrollmentFile(dataDir);
    this.#onProblem = onProblem;
  }

  get current(): EnrollmentWithKeys | null {
    return this.#current;
  }

  /** Throws an IdentityError. */
  keys(): DeviceKeys {
    this.#keys ??= loadOrCreateDeviceKeys(this.#dataDir);
    return this.#keys;
  }

  /** Creates a key if it is lost. Throws an IdentityError. */
  keysForClaim(): DeviceKeys {
    this.#keys ??= loadOrCreateDeviceKeys(this.#dataDir, 'claim');
    return this.#keys;
  }

  /** Called at the start, after a claim and after a renewal. */
  read(): EnrollmentWithKeys | null {
    const read = this.file.read();
    if (!read.ok) return this.#reportProblem(read.problems[0]?.message ?? 'The enrollment cannot be read');
    try {
      const keys = this.keys();
      if (read.value !== null && !isCertificateForKey(read.value.certificate, keys))
        return this.#reportProblem(WRONG_KEY);
      this.#current = read.value === null ? null : { enrollment: read.value, keys };
      this.#onProblem(null);
      return this.#current;
    } catch (error) {
      return this.#reportProblem((error as Error).message);
    }
  }

  #reportProblem(problem: string): null {
    this.#current = null;
    this.#onProblem(problem);
    return null;
  }
}
