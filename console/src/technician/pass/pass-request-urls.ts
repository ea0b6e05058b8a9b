/** The page of a controller asks the page of the bridge for a pass that certifies its key. Contains no secret. */
export interface TechnicianPassRequest {
  readonly device_id: string;
  readonly public_key: string;
  /** The origin of the controller's page. */
  readonly return_to: string;
}

/** In the query and not in the fragment, so that the request survives the login at the bridge. */
export const buildTechnicianPassRequestUrl = (
  bridgeUrl: string,
  { device_id, public_key, return_to }: TechnicianPassRequest,
): string =>
  `${bridgeUrl.replace(/\/+$/, '')}/technician?${new URLSearchParams({ device_id, public_key, return_to }).toString()}`;

export const parseTechnicianPassRequest = (query: string): TechnicianPassRequest | null => {
  const fields = new URLSearchParams(query);
  const [device_id, public_key, return_to] = ['device_id', 'public_key', 'return_to'].map(name => fields.get(name));
  return device_id && public_key && return_to ? { device_id, public_key, return_to } : null;
};

/** Opens the page of a controller so that it signs in with its pass or asks for one. */
export const buildTechnicianPassSignInUrl = (origin: string): string => `${origin}/#sign_in=pass`;

export const buildTechnicianPassUrl = (origin: string, pass: string): string =>
  `${origin}/#pass=${encodeURIComponent(pass)}`;
