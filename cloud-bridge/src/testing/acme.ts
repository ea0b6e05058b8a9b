import type { Log } from '@lintel/service/log-function-type';
import { AcmeCertificateManager } from '../acme/acme-certificate-manager.ts';
import { AcmeChallengeResponses } from '../acme/acme-challenge-responses.ts';
import { type AcmeStateStore, createFileAcmeStateStore, createSharedAcmeStateStore } from '../acme/acme-state-store.ts';
import { listenForAcmeChallenges } from '../acme/challenge-listener.ts';
import { serveHttps } from '../commands/https-listener.ts';
import type { InProcessBridge } from './in-process-bridge.ts';

const HOST = '127.0.0.1';

export interface ServedCertificateOptions {
  readonly name: string;
  readonly directoryUrl: string;
  readonly tlsPort: number;
  /** Default: challenges are answered at the TLS port. */
  readonly httpPort?: number | undefined;
  readonly log: Log;
  /** Called after the state of the certificate was stored. */
  readonly onStored?: () => Promise<unknown>;
}

/** Serves the bridge with HTTPS as `lintel bridge --acme-agree` does. The test decides when the certificate is renewed. */
export const serveWithAcmeCertificate = async (
  { bridge, services, dataDir, database }: InProcessBridge,
  { name, directoryUrl, tlsPort, httpPort, log, onStored }: ServedCertificateOptions,
) => {
  const challenges = new AcmeChallengeResponses();
  const own = await (await services.authority()).issueServerCertificate([name], services.clock());
  const https = await serveHttps(bridge, HOST, tlsPort, own, challenges);
  const listener =
    httpPort === undefined
      ? null
      : await listenForAcmeChallenges(challenges, services.publicUrl, HOST, httpPort, server =>
          bridge.limitConnections(server),
        );
  const stored = database === undefined ? createFileAcmeStateStore(dataDir) : createSharedAcmeStateStore(services);
  const store: AcmeStateStore = {
    ...stored,
    write: async state => {
      await stored.write(state);
      await onStored?.();
    },
  };
  const certificate = new AcmeCertificateManager(
    {
      directoryUrl,
      email: 'operator@example.test',
      name,
      challengeType: httpPort === undefined ? 'tls-alpn-01' : 'http-01',
    },
    {
      store,
      challenges,
      clock: services.clock,
      log,
      install: next => https.useCertificate(next),
      onFailure: () => bridge.metrics.countAcmeFailure(),
      propagationMs: 0,
    },
  );
  return {
    https,
    certificate,
    store,
    close: async (): Promise<void> => {
      listener?.close();
      await https.close();
    },
  };
};
