import type { Result } from '@lintel/access-core/result';
import { getErrorCode } from '@lintel/service/error-code';
import { parseJsonOrNull } from '@lintel/wire-protocol/encoding/json-text';
import { UntrustedServerError } from '../tls/open-socket.ts';
import { buildBridgeUrl } from './bridge-url.ts';
import type { BridgeHttpOptions } from './bridge-connection.ts';
import { BridgeHttpClient } from './bridge-http-client.ts';
import { ClaimOrRenewalError } from './claim-or-renewal-error.ts';
import type { HttpResponse } from './http-request.ts';

const REQUEST_TIMEOUT = 408;
const TOO_MANY = 429;

/** Errors in another format do not come from a bridge. */
const toClaimError = ({ status, text }: HttpResponse, origin: string): ClaimOrRenewalError => {
  const body = parseJsonOrNull(text) as {
    readonly message?: unknown;
    readonly args?: { readonly field?: unknown };
  } | null;
  if (typeof body?.message !== 'string')
    return new ClaimOrRenewalError(`${origin} is not a bridge: it responded with status ${status}`, false);
  const isFinal = status >= 400 && status < 500 && status !== TOO_MANY && status !== REQUEST_TIMEOUT;
  const { field } = body.args ?? {};
  return new ClaimOrRenewalError(body.message, isFinal, typeof field === 'string' ? field : null);
};

/** Returns the body of the response. Throws a ClaimOrRenewalError, which never contains the request. */
export const postClaimOrRenewal = async (
  bridgeUrl: string,
  path: string,
  body: object,
  options: BridgeHttpOptions,
): Promise<unknown> => {
  const { origin } = buildBridgeUrl(bridgeUrl, path);
  let response: HttpResponse;
  try {
    response = await new BridgeHttpClient(bridgeUrl, options).send(path, { method: 'POST', body });
  } catch (error) {
    if (error instanceof ClaimOrRenewalError) throw error;
    // Not final: a captive portal may answer until a person signs in.
    if (error instanceof UntrustedServerError)
      throw new ClaimOrRenewalError(error.message, false, 'ca_fingerprint', { cause: error });
    const reason = (error as Error).message || getErrorCode(error) || 'no connection';
    throw new ClaimOrRenewalError(`The bridge at ${origin} cannot be reached: ${reason}`, false, null, {
      cause: error,
    });
  }
  if (response.status !== 200) throw toClaimError(response, origin);
  return parseJsonOrNull(response.text);
};

/** Throws a ClaimOrRenewalError for a response that does not match its schema. */
export const requireParsedClaimOrRenewalResponse = <T>(read: Result<T>): T => {
  if (read.ok) return read.value;
  const places = read.problems.map(({ path, message }) => `${path} ${message}`).join(', ');
  throw new ClaimOrRenewalError(`The response of the bridge is invalid: ${places}`, false);
};
