import { Backoff } from '@lintel/service/timing/backoff';
import { requestCertificateRenewal } from '@lintel/device-link/identity/certificate-renewal-client';
import type { EncodedDigestKey } from '@lintel/device-link/identity/digest-key-id-and-encoding';
import { processTimers } from '@lintel/service/timing/timers';
import type { Log } from '@lintel/service/log-function-type';
import type { IdentityFileStore } from './identity-files.ts';

const RETRY = { firstMs: 60_000, longestMs: 6 * 3_600_000 };

export interface DigestKeyUploaderDependencies {
  readonly identity: IdentityFileStore;
  readonly key: EncodedDigestKey;
  readonly now: () => number;
  readonly proxies: () => readonly string[];
  readonly log: Log;
  /** Called after the upload, with a new enrollment: the device must reconnect. */
  readonly onUploaded: () => void;
}

/** Uploads a new key for PIN and card digests after the old one was lost. */
export class DigestKeyUploader {
  readonly #parts: DigestKeyUploaderDependencies;
  readonly #backoff = new Backoff(RETRY, Math.random);
  #isUploading = false;
  #cancelWait: () => void = () => undefined;
  readonly #stopping = new AbortController();

  constructor(parts: DigestKeyUploaderDependencies) {
    this.#parts = parts;
  }

  /** Called on each connection. The enrollment records the uploaded key. */
  uploadIfChanged(): void {
    const { identity, key } = this.#parts;
    const { current } = identity;
    if (current === null || this.#isUploading || current.enrollment.digest_key_id === key.id) return;
    void this.#upload();
  }

  async #upload(): Promise<void> {
    const { identity, key, now, proxies, log, onUploaded } = this.#parts;
    const { current } = identity;
    if (current === null) return;
    this.#isUploading = true;
    this.#cancelWait();
    try {
      const { signal } = this.#stopping;
      const terms = { now: now(), proxies: proxies(), signal };
      identity.file.write(await requestCertificateRenewal(current.enrollment, current.keys, key, terms));
      this.#backoff.reset();
      log('info', 'Uploaded the new key for PINs and cards');
      onUploaded();
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      log('warn', 'The new key for PINs and cards could not be uploaded yet', { why: (error as Error).message });
      this.#cancelWait = processTimers.after(this.#backoff.next(), () => this.uploadIfChanged());
    } finally {
      this.#isUploading = false;
    }
  }

  stop(): void {
    this.#stopping.abort();
    this.#cancelWait();
  }
}
