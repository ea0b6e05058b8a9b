/*
 * Keeps the guest page for times without a connection. Requests of the API always go to the bridge.
 */

/** TypeScript has no types for service workers beside those of pages. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface WorkerFetchEvent extends WorkerEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface WorkerScope {
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: WorkerFetchEvent) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
}
const worker = globalThis as unknown as WorkerScope;

const CACHE = 'guest';
/** One page serves all addresses of the scope. */
const PAGE = '/guest';
const SCRIPT = '/guest/nearby.js';
/** A weak network is slower than the stored files. */
const TIMEOUT_MS = 3000;

/** The newest version that can be loaded. */
const load = async (path: string): Promise<Response> => {
  const stored = await caches.open(CACHE);
  try {
    const response = await fetch(path, { cache: 'no-cache', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok || response.redirected) throw new Error(`${path} is not available`);
    await stored.put(path, response.clone());
    return response;
  } catch (error) {
    const copy = await stored.match(path);
    if (copy === undefined) throw error;
    return copy;
  }
};

worker.addEventListener('install', event => {
  event.waitUntil(Promise.all([PAGE, SCRIPT].map(load)).then(() => worker.skipWaiting()));
});
worker.addEventListener('activate', event => event.waitUntil(worker.clients.claim()));
worker.addEventListener('fetch', event => {
  const { mode, url } = event.request;
  if (mode === 'navigate') event.respondWith(load(PAGE));
  else if (new URL(url).pathname === SCRIPT) event.respondWith(load(SCRIPT));
});
