import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { sendHttpRequest, type HttpRequest, readHttpResponse } from '@lintel/device-link/bridge-http/http-request';
import type { P256Signer } from '@lintel/crypto/p256';
import { getUrlHost } from '@lintel/device-link/tls/loopback';
import { openTlsSocket, UntrustedServerError } from '@lintel/device-link/tls/open-socket';
import { errorResponse } from '@lintel/wire-protocol/rest/error';
import {
  technicianChallengeSchema,
  type TechnicianLoginRequest,
  technicianSessionSchema,
} from '@lintel/wire-protocol/technician/login';
import { createPassLogin } from '@lintel/wire-protocol/technician/login-proof';
import {
  rulesCheckResponse,
  type RulesCheckResponse,
  technicianRulesSchema,
  type TechnicianRules,
} from '@lintel/wire-protocol/technician/input-rules';
import type { RulesFile } from './rules-file.ts';

export type LocalCredential =
  | { readonly code: string }
  /** A technician pass, and the key that it certifies. */
  | { readonly pass: string; readonly key: P256Signer };

/** A controller on the local network, and the login for it. */
export interface LocalRulesTarget {
  readonly url: URL;
  readonly credential: LocalCredential;
  /** Of its certificate, as `AB:CD:…`; null accepts any certificate. */
  readonly fingerprint: string | null;
  /** Prints the fingerprint when none was specified. */
  readonly notice: (text: string) => void;
}

/** An error of the controller, or why it could not be reached. */
export class ControllerRulesError extends Error {
  override readonly name = 'ControllerRulesError';
}

const ANSWER_MS = 10_000;
const HTTPS_PORT = 443;
const LARGEST_RESPONSE = 4 * 1024 * 1024;

const unreachable = ({ url }: LocalRulesTarget, error: unknown): ControllerRulesError => {
  const { message } = error as Error;
  return new ControllerRulesError(
    error instanceof UntrustedServerError ? message : `${url.origin} does not respond: ${message}`,
  );
};

/** Checks the certificate before anything is sent, because the code is secret. */
const openSocket = async (device: LocalRulesTarget): Promise<{ socket: TLSSocket; shown: string }> => {
  const { url, fingerprint } = device;
  let shown = '';
  const rejectionReason = (socket: TLSSocket): string | null => {
    shown = new X509Certificate(socket.getPeerCertificate().raw).fingerprint256;
    const isExpected = fingerprint === null || shown === fingerprint;
    return isExpected ? null : `unexpected certificate ${shown}`;
  };
  const target = { host: getUrlHost(url), port: Number(url.port || HTTPS_PORT), timeoutMs: ANSWER_MS, rejectionReason };
  try {
    return { socket: await openTlsSocket(target), shown };
  } catch (error) {
    throw unreachable(device, error);
  }
};

interface ControllerRequest extends HttpRequest {
  readonly path: string;
}

const refusalOf = (status: number, body: unknown): ControllerRulesError => {
  const refusal = errorResponse.safeParse(body);
  return new ControllerRulesError(
    refusal.success ? refusal.data.message : `The controller responds with status ${status}`,
  );
};

const exchange = async (device: LocalRulesTarget, { path, ...request }: ControllerRequest) => {
  const { socket } = await openSocket(device);
  try {
    const address = new URL(`/technician/v1${path}`, device.url);
    return await readHttpResponse(
      await sendHttpRequest(socket, address, request, { withinMs: ANSWER_MS }),
      LARGEST_RESPONSE,
    );
  } catch (error) {
    throw unreachable(device, error);
  }
};

const sendRequest = async (device: LocalRulesTarget, request: ControllerRequest): Promise<unknown> => {
  const { status, text } = await exchange(device, request);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ControllerRulesError(`${device.url.origin} is not a controller`);
  }
  if (status < 200 || status >= 300) throw refusalOf(status, body);
  return body;
};

/** Signs no challenge of another controller, which the server could have relayed. */
const loginRequest = async (pinned: LocalRulesTarget): Promise<TechnicianLoginRequest> => {
  const { credential, fingerprint } = pinned;
  if ('code' in credential) return credential;
  const challenge = technicianChallengeSchema.parse(await sendRequest(pinned, { method: 'POST', path: '/challenge' }));
  if (challenge.fingerprint !== fingerprint)
    throw new ControllerRulesError(
      `${pinned.url.origin} relays the challenge of another controller. The pass was not sent. Check the address`,
    );
  const login = await createPassLogin(credential.pass, challenge, credential.key.sign);
  if (login === null) throw new ControllerRulesError('LINTEL_CODE is not a technician pass. Copy the whole pass');
  return login;
};

/** Logs in, works, logs out. The certificate must not change after the first connection. */
const withLogin = async <T>(
  device: LocalRulesTarget,
  work: (send: (request: ControllerRequest) => Promise<unknown>) => Promise<T>,
) => {
  const { socket, shown } = await openSocket(device);
  socket.destroy();
  if (device.fingerprint === null)
    device.notice(
      `The certificate's fingerprint is ${shown}. Compare it with the label and pass it with --fingerprint`,
    );
  const pinned = { ...device, fingerprint: shown };
  const login = { method: 'POST', path: '/login', body: await loginRequest(pinned) } as const;
  const { token } = technicianSessionSchema.parse(await sendRequest(pinned, login));
  try {
    return await work(request => sendRequest(pinned, { ...request, token }));
  } finally {
    await sendRequest(pinned, { method: 'POST', path: '/logout', token }).catch(() => undefined);
  }
};

export const getRulesOfController = (device: LocalRulesTarget): Promise<TechnicianRules> =>
  withLogin(device, async send => technicianRulesSchema.parse(await send({ method: 'GET', path: '/input_rules' })));

export const setRulesOfController = (device: LocalRulesTarget, rules: RulesFile): Promise<TechnicianRules> =>
  withLogin(device, async send =>
    technicianRulesSchema.parse(await send({ method: 'PUT', path: '/input_rules', body: rules })),
  );

/** Checks against the gadgets that the controller knows. */
export const checkRulesOnController = (
  device: LocalRulesTarget,
  { input_rules }: RulesFile,
): Promise<RulesCheckResponse> =>
  withLogin(device, async send =>
    rulesCheckResponse.parse(await send({ method: 'POST', path: '/input_rules/check', body: { input_rules } })),
  );
