import { X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { connect, type TLSSocket } from 'node:tls';
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
  /** Of its certificate; null to take whatever certificate it shows. */
  readonly fingerprint: string | null;
  /** Told the fingerprint when nobody has said which one it should be. */
  readonly notice: (text: string) => void;
}

/** What the controller said no with, or why it could not be asked. */
export class DeviceRefusal extends Error {
  override readonly name = 'DeviceRefusal';
}

const ANSWER_MS = 10_000;
const HTTPS_PORT = 443;

const inOneForm = (fingerprint: string): string => fingerprint.replaceAll(/[^0-9a-fA-F]/g, '').toUpperCase();

/** The certificate is looked at before a word is said: what is said first is the code. */
const openLine = ({ url, fingerprint }: LocalDevice): Promise<{ socket: TLSSocket; shown: string }> =>
  new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(url.port || HTTPS_PORT), rejectUnauthorized: false });
    const fail = (message: string): void => {
      socket.destroy();
      reject(new DeviceRefusal(`${url.origin} ${message}`));
    };
    socket.setTimeout(ANSWER_MS, () => fail('does not answer'));
    socket.once('error', error => fail(`does not answer: ${error.message}`));
    socket.once('secureConnect', () => {
      const { raw } = socket.getPeerCertificate();
      const shown = new X509Certificate(raw).fingerprint256;
      if (fingerprint !== null && inOneForm(shown) !== inOneForm(fingerprint))
        fail(`shows another certificate than expected: ${shown}`);
      else resolve({ socket, shown });
    });
  });

interface Question {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly token?: string;
}

const refusalOf = (status: number, body: unknown): DeviceRefusal => {
  const refusal = errorAnswer.safeParse(body);
  return new DeviceRefusal(refusal.success ? refusal.data.message : `The controller answers ${status}`);
};

const ask = async (device: LocalDevice, { method, path, body, token }: Question): Promise<unknown> => {
  const { socket } = await openLine(device);
  const headers = {
    host: device.url.host,
    connection: 'close',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return new Promise((resolve, reject) => {
    const asked = request(
      { createConnection: () => socket, method, path: `/technician/v1${path}`, headers },
      answer => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const { statusCode = 0 } = answer;
          try {
            const said: unknown = JSON.parse(text);
            if (statusCode >= 200 && statusCode < 300) resolve(said);
            else reject(refusalOf(statusCode, said));
          } catch {
            reject(new DeviceRefusal(`${device.url.origin} is no controller`));
          }
        });
      },
    );
    asked.once('error', error => reject(new DeviceRefusal(`${device.url.origin} does not answer: ${error.message}`)));
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
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
