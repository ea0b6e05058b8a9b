import type { ListPageResponse } from '@lintel/wire-protocol/rest/list-page';
import {
  formatQuery,
  type QueryParameters,
  sendAdminRequest,
  sendTaggedAdminRequest,
  type TaggedResponse,
} from './send-request.ts';

/** Sends requests below `/organizations/{id}`. Paths mirror those of the public API. */
export class OrganizationClient {
  readonly organizationId: string;

  constructor(organizationId: string) {
    this.organizationId = organizationId;
  }

  get<T>(path: string, query: QueryParameters = {}): Promise<T> {
    return sendAdminRequest<T>('GET', `${this.pathOf(path)}${formatQuery(query)}`);
  }

  getTagged<T>(path: string): Promise<TaggedResponse<T>> {
    return sendTaggedAdminRequest<T>('GET', this.pathOf(path));
  }

  list<T>(path: string, query: QueryParameters = {}): Promise<ListPageResponse<T>> {
    return this.get<ListPageResponse<T>>(path, query);
  }

  /** All pages of a list that is small by nature, such as sites or schedules. */
  async listAll<T>(path: string, query: QueryParameters = {}): Promise<readonly T[]> {
    const items: T[] = [];
    let cursor: string | undefined;
    do {
      const page: ListPageResponse<T> = await this.list<T>(path, { ...query, cursor });
      items.push(...page.data);
      cursor = page.cursor_next;
    } while (cursor !== undefined);
    return items;
  }

  /** `timeoutMs` for a request that waits for a person. */
  post<T>(path: string, body: object = {}, timeoutMs?: number): Promise<T> {
    return sendAdminRequest<T>('POST', this.pathOf(path), body, timeoutMs === undefined ? {} : { timeoutMs });
  }

  /** For a request that must not have its effect twice when it is repeated after a lost connection. */
  postOnce<T>(path: string, body: object, idempotencyKey: string, timeoutMs: number): Promise<T> {
    return sendAdminRequest<T>('POST', this.pathOf(path), body, { timeoutMs, idempotencyKey });
  }

  put<T>(path: string, body: object): Promise<T> {
    return sendAdminRequest<T>('PUT', this.pathOf(path), body);
  }

  /** With a tag, fails with `edit_conflict` if the object has changed since. */
  patch<T>(path: string, body: object, ifMatch: string | null = null): Promise<T> {
    return sendAdminRequest<T>('PATCH', this.pathOf(path), body, ifMatch === null ? {} : { ifMatch });
  }

  delete<T>(path: string): Promise<T> {
    return sendAdminRequest<T>('DELETE', this.pathOf(path));
  }

  pathOf(path: string): string {
    return `/organizations/${this.organizationId}${path}`;
  }
}
