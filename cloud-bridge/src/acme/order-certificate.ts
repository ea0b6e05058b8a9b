import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import { isKeyOfCertificate, type KeyAndCertificate } from '../tls/certificate-authority.ts';
import { AcmeError, toAcmeError } from './acme-error.ts';
import { AcmeClient, computeAcmeKeyThumbprint } from './acme-client.ts';
import { createKeyAndCertificateRequest } from './acme-keys-and-certificates.ts';

export type AcmeChallengeType = 'http-01' | 'tls-alpn-01';

export interface AcmeChallenge {
  readonly token: string;
  readonly keyAuthorization: string;
}

export interface AcmeCertificateOrderOptions {
  readonly directoryUrl: string;
  /** PEM. */
  readonly accountKey: string;
  readonly email: string | null;
  readonly name: string;
  readonly challengeType: AcmeChallengeType;
  /** Resolves when the server may request the challenge. */
  readonly presentChallenge: (challenge: AcmeChallenge) => Promise<void>;
  readonly signal: AbortSignal;
}

const problem = z.object({ type: z.string().optional(), detail: z.string().optional() });
const orderSchema = z.object({
  status: z.string(),
  authorizations: z.array(z.url()),
  finalize: z.url(),
  certificate: z.url().optional(),
  error: problem.optional(),
});
const authorizationSchema = z.object({
  status: z.string(),
  challenges: z.array(
    z.object({ type: z.string(), url: z.url(), token: z.string().optional(), error: problem.optional() }),
  ),
});

type Authorization = z.infer<typeof authorizationSchema>;

const invalidAuthorization = ({ status, challenges }: Authorization): AcmeError => {
  const { error = { detail: `The authorization is ${status}` } } =
    challenges.find(one => one.error !== undefined) ?? {};
  return toAcmeError(error, 'Proving control of the name');
};

/** Proves that the name points to this bridge, unless the server knows it already. */
const authorize = async (requests: AcmeClient, url: string, options: AcmeCertificateOrderOptions): Promise<void> => {
  const { challengeType, accountKey, presentChallenge } = options;
  const action = 'Proving control of the name';
  const { status, challenges } = authorizationSchema.parse(await (await requests.post(url, '', action)).json());
  if (status === 'valid') return;
  const challenge = challenges.find(({ type }) => type === challengeType);
  if (challenge?.token === undefined) throw new AcmeError(`The ACME server does not offer ${challengeType}`);
  const { token } = challenge;
  await presentChallenge({
    token,
    keyAuthorization: `${token}.${computeAcmeKeyThumbprint(createPrivateKey(accountKey))}`,
  });
  await requests.post(challenge.url, {}, action);
  const finished = await requests.poll(url, action, body => {
    const authorization = authorizationSchema.parse(body);
    return authorization.status === 'pending' ? null : authorization;
  });
  if (finished.status !== 'valid') throw invalidAuthorization(finished);
};

/** Orders a certificate for a new key (RFC 8555, section 7). Throws an AcmeError. */
export const orderAcmeCertificate = async (options: AcmeCertificateOrderOptions): Promise<KeyAndCertificate> => {
  const { directoryUrl, accountKey, email, name, signal } = options;
  const requests = new AcmeClient({ directoryUrl, accountKey: createPrivateKey(accountKey), signal });
  await requests.openAccount(email);
  const { newOrder } = await requests.directory();
  const created = await requests.post(newOrder, { identifiers: [{ type: 'dns', value: name }] }, 'Ordering');
  const orderUrl = created.headers.get('location') ?? '';
  const order = orderSchema.parse(await created.json());
  for (const url of order.authorizations) await authorize(requests, url, options);
  const { key, request } = await createKeyAndCertificateRequest(name);
  await requests.post(order.finalize, { csr: request.toString('base64url') }, 'Requesting the certificate');
  const finished = await requests.poll(orderUrl, 'Requesting the certificate', body => {
    const current = orderSchema.parse(body);
    return current.status === 'valid' || current.status === 'invalid' ? current : null;
  });
  if (finished.certificate === undefined)
    throw toAcmeError(finished.error ?? { detail: 'The order is invalid' }, 'Requesting the certificate');
  const response = await requests.post(finished.certificate, '', 'Fetching the certificate');
  const certificate = await response.text();
  if (!isKeyOfCertificate(key, certificate))
    throw new AcmeError('The ACME server returned a certificate for another key');
  return { key, certificate };
};
