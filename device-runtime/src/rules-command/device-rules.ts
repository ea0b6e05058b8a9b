import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { exchangeHttp, type HttpRequest, readHttpResponse } from '@lintel/device-link/bridge-http/http-exchange';
import { hostOf } from '@lintel/device-link/tls/loopback';
import { openTlsSocket, UntrustedServer } from '@lintel/device-link/tls/open-socket';
import { errorAnswer } from '@lintel/wire-protocol/rest/error';
import { technicianSession } from '@lintel/wire-protocol/technician/login';
import {
  rulesChecked,
  type RulesChecked,
  technicianRules,
  type TechnicianRules,
} from '@lintel/wire-protocol/technician/input-rules';
import type { RulesFile } from './rules-file.ts';

/** A controller on the network, and what opens it. */
export interface LocalDevice {
  readonly url: URL;
  /** Setup code or technician pass. */
  readonly code: string;
  /** Of its certificate, as `AB:CD:…`; null to take whatever certificate it shows. */
  readonly fingerprint: string | null;
  /** Told the fingerprint when nobody has said which one it should be. */
  readonly notice: (text: string) => void;
}

/** What the controller said no with, or why it could not be asked. */
export class DeviceRulesError extends Error {
  override readonly name = 'DeviceRulesError';
}

const ANSWER_MS = 10_000;
const HTTPS_PORT = 443;
const LARGEST_RESPONSE = 4 * 1024 * 1024;

const unreachable = ({ url }: LocalDevice, error: unknown): DeviceRulesError => {
  const { message } = error as Error;
  return new DeviceRulesError(error instanceof UntrustedServer ? message : `${url.origin} does not answer: ${message}`);
};

/** Checks the certificate before anything is sent: what is sent first is the code. */
const openLine = async (device: LocalDevice): Promise<{ socket: TLSSocket; shown: string }> => {
  const { url, fingerprint } = device;
  let shown = '';
  const judge = (socket: TLSSocket): string | null => {
    shown = new X509Certificate(socket.getPeerCertificate().raw).fingerprint256;
    const isExpected = fingerprint === null || shown === fingerprint;
    return isExpected ? null : `it shows another certificate than expected: ${shown}`;
  };
  const target = { host: hostOf(url), port: Number(url.port || HTTPS_PORT), timeoutMs: ANSWER_MS, judge };
  try {
    return { socket: await openTlsSocket(target), shown };
  } catch (error) {
    throw unreachable(device, error);
  }
};

interface Question extends HttpRequest {
  readonly path: string;
}

const refusalOf = (status: number, body: unknown): DeviceRulesError => {
  const refusal = errorAnswer.safeParse(body);
  return new DeviceRulesError(refusal.success ? refusal.data.message : `The controller answers ${status}`);
};

const exchange = async (device: LocalDevice, { path, ...request }: Question) => {
  const { socket } = await openLine(device);
  try {
    const address = new URL(`/technician/v1${path}`, device.url);
    return await readHttpResponse(
      await exchangeHttp(socket, address, request, { withinMs: ANSWER_MS }),
      LARGEST_RESPONSE,
    );
  } catch (error) {
    throw unreachable(device, error);
  }
};

const ask = async (device: LocalDevice, question: Question): Promise<unknown> => {
  const { status, text } = await exchange(device, question);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new DeviceRulesError(`${device.url.origin} is no controller`);
  }
  if (status < 200 || status >= 300) throw refusalOf(status, body);
  return body;
};

/** A pass is `<payload>.<signature>`; no setup code has a dot. */
const credential = (code: string): { readonly pass: string } | { readonly code: string } =>
  code.includes('.') ? { pass: code } : { code };

/** Logs in, works, logs out. From the login on, the certificate must stay the one that the code was told to. */
const during = async <T>(device: LocalDevice, work: (say: (question: Question) => Promise<unknown>) => Promise<T>) => {
  const { socket, shown } = await openLine(device);
  socket.destroy();
  if (device.fingerprint === null)
    device.notice(`The certificate's fingerprint is ${shown}. Compare it with the label, and give it as --fingerprint`);
  const pinned = { ...device, fingerprint: shown };
  const login = { method: 'POST', path: '/login', body: credential(device.code) } as const;
  const { token } = technicianSession.parse(await ask(pinned, login));
  try {
    return await work(question => ask(pinned, { ...question, token }));
  } finally {
    await ask(pinned, { method: 'POST', path: '/logout', token }).catch(() => undefined);
  }
};

export const getLocalRules = (device: LocalDevice): Promise<TechnicianRules> =>
  during(device, async say => technicianRules.parse(await say({ method: 'GET', path: '/input_rules' })));

export const setLocalRules = (device: LocalDevice, rules: RulesFile): Promise<TechnicianRules> =>
  during(device, async say => technicianRules.parse(await say({ method: 'PUT', path: '/input_rules', body: rules })));

/** By the gadgets that the controller knows. */
export const checkLocalRules = (device: LocalDevice, { input_rules }: RulesFile): Promise<RulesChecked> =>
  during(device, async say =>
    rulesChecked.parse(await say({ method: 'POST', path: '/input_rules/check', body: { input_rules } })),
  );
