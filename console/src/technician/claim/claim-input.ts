/** The content of a ticket, for display only: the controller and the bridge verify its signature. */
export interface ClaimTicketContent {
  readonly bridge_url: string;
  readonly device_id: string | null;
  readonly expires_at: number;
}

/** Returns null for text that is not a ticket. */
export const parseUnverifiedClaimTicket = (text: string): ClaimTicketContent | null => {
  const [payload = '', signature] = text.trim().split('.');
  if (signature === undefined || !/^[\w-]+$/.test(payload)) return null;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), one => one.charCodeAt(0));
    const content = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Record<keyof ClaimTicketContent, unknown>>;
    const { bridge_url, device_id, expires_at } = content;
    if (typeof bridge_url !== 'string' || typeof expires_at !== 'number') return null;
    return { bridge_url, device_id: typeof device_id === 'string' ? device_id : null, expires_at };
  } catch {
    return null;
  }
};

/** Adds `https://` to a host name. Returns null for text that is not an address. */
export const parseBridgeUrl = (text: string): string | null => {
  const trimmed = text.trim();
  const url = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  return /^https?:\/\/([^\s/:[\]]+|\[[0-9a-f:.]+\])(:\d+)?(\/\S*)?$/i.test(url) ? url : null;
};
