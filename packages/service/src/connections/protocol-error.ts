import { getErrorCode } from '../error-code.ts';

type Protocol = 'TLS' | 'HTTP' | 'MQTT';

/** The first bytes of a TLS record, read as something else, or the other way around. */
const notTlsCodes = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|BAD_RECORD_TYPE/;
const versionCodes = /UNSUPPORTED_PROTOCOL|ALERT_PROTOCOL_VERSION|VERSION_TOO_LOW/;
const certificateCodes = /ALERT_(?:BAD_CERTIFICATE|UNKNOWN_CA|UNSUPPORTED_CERTIFICATE|CERTIFICATE|ACCESS_DENIED)/;

const tlsProblem = (name: string): string => {
  if (notTlsCodes.test(name)) return 'does not use TLS. Check the port: HTTPS and MQTTS have ports of their own';
  if (versionCodes.test(name))
    return 'does not support TLS 1.2 or TLS 1.3. Update the server, or change its TLS settings';
  if (certificateCodes.test(name)) return `rejected the certificate of this device or program (${name})`;
  return `failed in the TLS handshake (${name}). Check the address and the port`;
};

/** `WRONG_VERSION_NUMBER`, from the code of the error or from its message. Null if the error is not of TLS. */
const tlsReasonOf = (code: string, message: string): string | null => {
  if (code.startsWith('ERR_SSL_')) return code.slice('ERR_SSL_'.length);
  const reason = /:SSL routines:[^:]*:([^:\n]*)/.exec(message)?.[1];
  return reason === undefined
    ? null
    : reason
        .trim()
        .replaceAll(/[\s/]+/g, '_')
        .toUpperCase();
};

/** Of the parsers of Node and mqtt.js for an answer in another protocol. */
const unexpectedAnswer: Readonly<Record<Exclude<Protocol, 'TLS'>, RegExp>> = {
  HTTP: /^Parse Error/,
  MQTT: /^(?:connack timeout|Invalid header flag bits|Invalid variable byte integer|Cannot parse protocol|Invalid protocol)/i,
};

const isAnotherProtocol = (protocol: Exclude<Protocol, 'TLS'>, error: Error): boolean =>
  unexpectedAnswer[protocol].test(error.message);

/**
 * What a server does wrong that speaks another protocol than its client, after its address: "does not use TLS. …". Null for
 * other errors.
 */
export const describeProtocolError = (error: unknown): string | null => {
  const { message = '' } = (error ?? {}) as Partial<Error>;
  const reason = tlsReasonOf(getErrorCode(error), message);
  if (reason !== null) return tlsProblem(reason);
  if (!(error instanceof Error)) return null;
  if (isAnotherProtocol('HTTP', error))
    return 'does not answer with HTTP. Check the port, and whether it is one for HTTPS';
  return isAnotherProtocol('MQTT', error)
    ? 'does not answer with MQTT. Check the port: HTTP and MQTT have ports of their own'
    : null;
};

/** The error of a connection to an address, such as `doors.example.com:443`, as a sentence if another protocol causes it. */
export const toProtocolError = (address: string, error: Error): Error => {
  const problem = describeProtocolError(error);
  return problem === null ? error : new Error(`${address} ${problem}`, { cause: error });
};
