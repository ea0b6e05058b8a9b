import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { sendHttpRequest, type HttpRequest, readHttpResponse } from '@lintel/device-link/bridge-http/http-request';
import type { P256Signer } from '@lintel/crypto/p256';
import { getUrlHost } from '@lintel/device-link/tls/loopback-address';
import { openTlsSocket, UntrustedServerError } from '@lintel/device-link/tls/open-socket';
import { errorResponseSchema } from '@lintel/wire-protocol/rest/api-error-types';
import {
  technicianChallengeResponseSchema,
  type TechnicianLoginRequest,
  technicianSessionResponseSchema,
} from '@lintel/wire-protocol/technician/login';
import { createTechnicianPassLoginRequest } from '@lintel/wire-protocol/technician/login-proof';
import {
  inputRulesCheckResponseSchema,
  type InputRulesCheckResponse,
  technicianInputRulesResponseSchema,
  type TechnicianInputRulesResponse,
} from '@lintel/wire-protocol/technician/input-rules';
import type { InputRulesFile } from './rules-file.ts';

export type ControllerLoginCredential =
  | { readonly code: string }
  /** A technician pass, and the key that it certifies. */
  | { readonly pass: string; readonly key: P256Signer };

/** A controller on the local network, and the login for it. */
export interface ControllerInputRulesTarget {
  readonly url: URL;
  readonly credential: ControllerLoginCredential;
  /** Of its certificate, as `AB:CD:…`; null accepts any certificate. */
  readonly fingerprint: string | null;
  /** Prints the fingerprint when none was specified. */
  readonly notice: (text: string) => void;
}

/** An error of the controller, or why it could not be reached. */
export class ControllerInputRulesError extends Error {
  override readonly name = 'ControllerInputRulesError';
}

const ANSWER_MS = 10_000;
const HTTPS_PORT = 443;
const LARGEST_RESPONSE = 4 * 1024 * 1024;

const unreachable = ({ url }: ControllerInputRulesTarget, error: unknown): ControllerInputRulesError => {
  const { message } = error as Error;
  return new ControllerInputRulesError(
    error instanceof UntrustedServerError ? message : `${url.origin} does not respond: ${message}`,
  );
};

/** Checks the certificate before anything is sent, because the code is secret. */
const openSocket = async (device: ControllerInputRulesTarget): Promise<{ socket: TLSSocket; shown: string }> => {
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

const refusalOf = (status: number, body: unknown): ControllerInputRulesError => {
  const refusal = errorResponseSchema.safeParse(body);
  return new ControllerInputRulesError(
    refusal.success ? refusal.data.message : `The controller responds with status ${status}`,
  );
};

const exchange = async (device: ControllerInputRulesTarget, { path, ...request }: ControllerRequest) => {
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

const sendRequest = async (device: ControllerInputRulesTarget, request: ControllerRequest): Promise<unknown> => {
  const { status, text } = await exchange(device, request);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ControllerInputRulesError(`${device.url.origin} is not a controller`);
  }
  if (status < 200 || status >= 300) throw refusalOf(status, body);
  return body;
};

/** Signs no challenge of another controller, which the server could have relayed. */
const loginRequest = async (pinned: ControllerInputRulesTarget): Promise<TechnicianLoginRequest> => {
  const { credential, fingerprint } = pinned;
  if ('code' in credential) return credential;
  const challenge = technicianChallengeResponseSchema.parse(
    await sendRequest(pinned, { method: 'POST', path: '/challenge' }),
  );
  if (challenge.fingerprint !== fingerprint)
    throw new ControllerInputRulesError(
      `${pinned.url.origin} relays the challenge of another controller. The pass was not sent. Check the address`,
    );
  const login = await createTechnicianPassLoginRequest(credential.pass, challenge, credential.key.sign);
  if (login === null) throw new ControllerInputRulesError('LINTEL_CODE is not a technician pass. Copy the whole pass');
  return login;
};

/** Logs in, works, logs out. The certificate must not change after the first connection. */
const withLogin = async <T>(
  device: ControllerInputRulesTarget,
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
  const { token } = technicianSessionResponseSchema.parse(await sendRequest(pinned, login));
  try {
    return await work(request => sendRequest(pinned, { ...request, token }));
  } finally {
    await sendRequest(pinned, { method: 'POST', path: '/logout', token }).catch(() => undefined);
  }
};

export const fetchInputRulesFromController = (
  device: ControllerInputRulesTarget,
): Promise<TechnicianInputRulesResponse> =>
  withLogin(device, async send =>
    technicianInputRulesResponseSchema.parse(await send({ method: 'GET', path: '/input_rules' })),
  );

export const replaceInputRulesOfController = (
  device: ControllerInputRulesTarget,
  rules: InputRulesFile,
): Promise<TechnicianInputRulesResponse> =>
  withLogin(device, async send =>
    technicianInputRulesResponseSchema.parse(await send({ method: 'PUT', path: '/input_rules', body: rules })),
  );

/** Checks against the gadgets that the controller knows. */
export const checkInputRulesOnController = (
  device: ControllerInputRulesTarget,
  { input_rules }: InputRulesFile,
): Promise<InputRulesCheckResponse> =>
  withLogin(device, async send =>
    inputRulesCheckResponseSchema.parse(
      await send({ method: 'POST', path: '/input_rules/check', body: { input_rules } }),
    ),
  );
