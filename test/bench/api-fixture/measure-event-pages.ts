import type { Bridge } from '@lintel/cloud-bridge/main';
import { median, scaled } from '../harness/benchmark-types-and-statistics.ts';

const ROUNDS = scaled(201);

export type GetPage = (path: string) => Promise<{ readonly cursor_next: string }>;

export const pageReader =
  ({ app }: Bridge, { token }: { readonly token: string }): GetPage =>
  async path => {
    const response = await app.inject({ url: `/v2${path}`, headers: { authorization: `Bearer ${token}` } });
    if (response.statusCode !== 200) throw new Error(response.payload);
    return response.json();
  };

const timed = async (getPage: GetPage, path: string): Promise<number> => {
  const started = performance.now();
  await getPage(path);
  return performance.now() - started;
};

/**
 * The medians of the first and the last page of all events, measured alternately. Builds the cursor of the last page from that
 * of the first, because following the cursors takes 10,000 requests for each million.
 */
export const measureEventPages = async (
  { services }: Bridge,
  getPage: GetPage,
): Promise<{ readonly firstMs: number; readonly lastMs: number }> => {
  const [binding] = JSON.parse(Buffer.from((await getPage('/events')).cursor_next, 'base64url').toString()) as [string];
  const before = await services.storage.reader
    .selectFrom('events')
    .select(['created_at', 'id'])
    .orderBy('created_at')
    .orderBy('id')
    .offset(100)
    .limit(1)
    .executeTakeFirstOrThrow();
  const cursor = Buffer.from(JSON.stringify([binding, before.created_at, before.id])).toString('base64url');
  const page = await getPage(`/events?cursor=${cursor}`);
  if ('cursor_next' in page) throw new Error('The last page has a next page');
  const [first, last]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    first.push(await timed(getPage, '/events'));
    last.push(await timed(getPage, `/events?cursor=${cursor}`));
  }
  return { firstMs: median(first), lastMs: median(last) };
};
