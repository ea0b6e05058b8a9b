import { UntrustedServer } from '../tls/open-socket.ts';
import { bridgeAddress } from './bridge-address.ts';
import type { BridgeHttpOptions } from './bridge-connection.ts';
import { BridgeHttpClient } from './bridge-http-client.ts';
import { ClaimError } from './claim-error.ts';
import type { HttpResponse } from './http-exchange.ts';

const REQUEST_TIMEOUT = 408;
const TOO_MANY = 429;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** An error in the API's form; anything else was not said by a bridge. */
const refusalOf = ({ status, text }: HttpResponse, origin: string): ClaimError => {
  const body = parsed(text) as { readonly message?: unknown; readonly args?: { readonly field?: unknown } } | null;
  if (typeof body?.message !== 'string') return new ClaimError(`${origin} is no bridge: it answered ${status}`, false);
  const isFinal = status >= 400 && status < 500 && status !== TOO_MANY && status !== REQUEST_TIMEOUT;
  const { field } = body.args ?? {};
  return new ClaimError(body.message, isFinal, typeof field === 'string' ? field : null);
};

/** The body of the bridge's answer. Throws a ClaimError, which never quotes what was sent. */
export const postToBridge = async (
  bridgeUrl: string,
  path: string,
  body: object,
  options: BridgeHttpOptions,
): Promise<unknown> => {
  const { origin } = bridgeAddress(bridgeUrl, path);
  let response: HttpResponse;
  try {
    response = await new BridgeHttpClient(bridgeUrl, options).send(path, { method: 'POST', body });
  } catch (error) {
    if (error instanceof ClaimError) throw error;
    // Not for good: a hotel's login page answers in anybody's name until somebody has signed in there.
    if (error instanceof UntrustedServer)
      throw new ClaimError(error.message, false, 'ca_fingerprint', { cause: error });
    const why = (error as Error).message || (error as NodeJS.ErrnoException).code || 'no connection';
    throw new ClaimError(`The bridge at ${origin} cannot be reached: ${why}`, false, null, { cause: error });
  }
  if (response.status !== 200) throw refusalOf(response, origin);
  return parsed(response.text);
};
