/** `[::1]:8443` → `::1`, `door.local:8443` → `door.local`; null for an invalid or missing Host header. */
export const parseHostHeader = (header: string | undefined): string | null => {
  const url = `http://${header ?? ''}/`;
  if (!URL.canParse(url)) return null;
  const { hostname, username, password, pathname, search, hash } = new URL(url);
  if (username !== '' || password !== '' || pathname !== '/' || search !== '' || hash !== '') return null;
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
};

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/**
 * Whether a Host header names this machine, with any port. A page of another site that makes its own name point to this
 * machine (DNS rebinding) still sends that name.
 */
export const isLoopbackHost = (header: string | undefined): boolean => loopbackNames.has(parseHostHeader(header) ?? '');

/** Whether the request target is a path and not, for example, a whole URL, which routers and proxies read differently. */
export const isRequestTargetPath = (target: string | undefined): boolean => target?.startsWith('/') === true;
