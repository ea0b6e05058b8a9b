import { isIP } from 'node:net';
import { UsageError } from '@lintel/service/command-line/cli-command';
import { parsePortOption } from '@lintel/service/command-line/command-arguments';
import type { AcmeOptions } from '../acme/acme-certificate-manager.ts';

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory';

interface AcmeOptionValues {
  readonly 'acme-agree': boolean;
  readonly 'acme-email'?: string | undefined;
  readonly 'acme-directory'?: string | undefined;
  readonly 'acme-http-port'?: string | undefined;
  readonly 'public-url'?: string | undefined;
  readonly 'https-port'?: string | undefined;
  readonly 'tls-cert'?: string | undefined;
}

interface BridgeAcmeOptions extends AcmeOptions {
  /** Null: the HTTPS port answers the challenge. */
  readonly httpPort: number | null;
}

/** The DNS name in --public-url. */
const certificateName = (publicUrl: string | undefined): string => {
  const { protocol, hostname } = new URL(publicUrl ?? 'http://localhost');
  if (protocol !== 'https:' || isIP(hostname) !== 0 || hostname.startsWith('[') || !hostname.includes('.'))
    throw new UsageError('--acme-agree requires --public-url with https and a DNS name: https://doors.example.com');
  return hostname;
};

/** Null without --acme-agree. */
export const parseAcmeOptions = (values: AcmeOptionValues): BridgeAcmeOptions | null => {
  const { 'acme-email': email, 'acme-directory': directoryUrl, 'acme-http-port': httpPort } = values;
  if (!values['acme-agree']) {
    if (email !== undefined || directoryUrl !== undefined || httpPort !== undefined)
      throw new UsageError('Add --acme-agree if you agree to the terms of service of the ACME server');
    return null;
  }
  if (values['tls-cert'] !== undefined) throw new UsageError('Use either --acme-agree or --tls-cert');
  if (values['https-port'] === undefined) throw new UsageError('--acme-agree requires --https-port');
  if (directoryUrl !== undefined && URL.parse(directoryUrl)?.protocol !== 'https:')
    throw new UsageError(`--acme-directory must be a URL such as ${LETS_ENCRYPT}`);
  if (email !== undefined && !/^[^\s@,?]+@[^\s@,?]+$/.test(email))
    throw new UsageError('--acme-email must be an email address');
  return {
    name: certificateName(values['public-url']),
    directoryUrl: directoryUrl ?? LETS_ENCRYPT,
    email: email ?? null,
    challengeType: httpPort === undefined ? 'tls-alpn-01' : 'http-01',
    httpPort: httpPort === undefined ? null : parsePortOption(httpPort, 'acme-http-port'),
  };
};
