import { isUnknownParameter } from '@lintel/access-core/problem-texts';
import { Readable } from 'node:stream';
import { instant } from '@lintel/access-core/instant';
import type { VerifiedRelease } from '@lintel/updates/release-files/read-release';
import {
  type ReleaseResponse,
  releaseResponseSchema,
  releaseUploadResponseSchema,
} from '@lintel/wire-protocol/admin/release';
import { toDateTime, toInstant } from '@lintel/wire-protocol/schema-parts/date-time';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import type { OrganizationCaller } from '../../http/authenticated-caller.ts';
import type { ReleaseUploader } from '../../updates/incoming-release-uploads.ts';
import type { ReleaseStore } from '../../updates/release-store.ts';
import { defineAdminEndpoint, type AdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { defineAdminListEndpoint, fetchPageRows } from '../paginated-list-endpoint.ts';
import { ApiError, createNotFoundError, createInvalidParameterError } from '../../http/api-error.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { ReleaseRow } from '../../storage/release-and-rollout-schema.ts';
import { insertRow, requireActiveRow, updateRow } from '../../transactions/row-operations.ts';
import type { WriteContext } from '../../transactions/organization-writer.ts';

const toResponse = ({ is_deleted, allow_downgrade, made_at, created_at, ...row }: ReleaseRow): ReleaseResponse => ({
  ...row,
  id: row.id as ReleaseResponse['id'],
  organization_id: row.organization_id as ReleaseResponse['organization_id'],
  allow_downgrade: allow_downgrade === 1,
  made_at: toDateTime(instant(made_at)),
  created_at: toDateTime(instant(created_at)),
  is_deleted: is_deleted === 1,
});

/** Uploading the same archive again returns the same release, and restores it if it was deleted. */
const saveRelease = async (context: WriteContext, { manifest, keyId, sha256, size }: VerifiedRelease) => {
  const { db, organizationId: organization_id, now } = context;
  const existing = await db
    .selectFrom('releases')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  if (existing !== undefined) return updateRow(context, 'releases', existing, { is_deleted: 0, key_id: keyId });
  const { program, version, arch, minimum_version, allow_downgrade, created_at } = manifest;
  context.log({ verb: 'edit', object: { type: 'organization', organization_id }, reason: 'release_added' });
  return insertRow(context, 'releases', {
    id: context.newId('release'),
    organization_id,
    program,
    version,
    arch,
    size,
    sha256,
    key_id: keyId,
    minimum_version,
    allow_downgrade: allow_downgrade ? 1 : 0,
    made_at: toInstant(created_at),
    created_at: now,
    is_deleted: 0,
  });
};

const uploaderOf = ({ organizationId, userId, applicationId }: OrganizationCaller): ReleaseUploader => ({
  organizationId,
  uploader: userId ?? applicationId ?? organizationId,
});

const requireStream = (body: unknown): Readable => {
  if (body instanceof Readable) return body;
  throw new ApiError('unsupported_media_type', 'The body must have the content type application/octet-stream');
};

const parseDigest = (field: string, value: unknown): string => {
  if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) return value;
  throw createInvalidParameterError(field, 'must be the SHA-256 of the archive in lower-case hex');
};

const parseOffset = ({ offset = '0' }: Readonly<Record<string, unknown>>): number => {
  if (typeof offset === 'string' && /^\d{1,12}$/.test(offset)) return Number(offset);
  throw createInvalidParameterError('offset', 'must be a whole number');
};

const rejectOtherParameters = (query: Readonly<Record<string, unknown>>, existing: string): void => {
  for (const name of Object.keys(query))
    if (name !== existing) throw createInvalidParameterError(name, isUnknownParameter(existing));
};

const isRolledOut = async ({ db }: WriteContext, id: string): Promise<boolean> => {
  const row = await db
    .selectFrom('rollouts')
    .select('id')
    .where('release_id', '=', id)
    .where('state', 'in', ['running', 'paused', 'halted'])
    .executeTakeFirst();
  return row !== undefined;
};

/**
 * The endpoints whose body is an archive. Uploads are separate per organization; the finished file is shared by all
 * organizations with the same archive.
 */
export const createReleaseUploadEndpoints = (releases: ReleaseStore): AdminEndpoint[] => {
  const common = { tag: 'Updates', requiredPermission: 'updates.write', acceptsBytes: true } as const;
  return [
    defineAdminEndpoint({
      ...common,
      method: 'POST',
      path: `${ORGANIZATION_PATH_PREFIX}/releases`,
      summary: 'Add a signed release from the archive in the body, or from a finished upload in parts',
      query: { upload: 'SHA-256 of an archive that was uploaded in parts; leave the body empty' },
      response: releaseResponseSchema,
      handle: async call => {
        const { caller, query, body } = call;
        rejectOtherParameters(query, 'upload');
        const { upload } = query;
        const release =
          upload === undefined
            ? await releases.add(uploaderOf(caller), requireStream(body))
            : await releases.completeUpload(caller.organizationId, parseDigest('upload', upload));
        return toResponse(await writeAsCaller(call, context => saveRelease(context, release)));
      },
    }),
    defineAdminEndpoint({
      ...common,
      method: 'PUT',
      path: `${ORGANIZATION_PATH_PREFIX}/release_uploads/:digest`,
      operationId: 'uploadReleasePart',
      summary: 'Upload one part of an archive, for slow connections',
      query: { offset: 'Byte offset of this part: the number of bytes received so far, or 0 to start over' },
      response: releaseUploadResponseSchema,
      handle: async ({ caller, params: { digest = '' }, query, body }) => {
        rejectOtherParameters(query, 'offset');
        const sha256 = parseDigest('digest', digest);
        const offset = parseOffset(query);
        return { sha256, received: await releases.addPart(uploaderOf(caller), sha256, requireStream(body), offset) };
      },
    }),
  ];
};

export const createReleaseEndpoints = ({ storage }: BridgeServices, releases: ReleaseStore): AdminEndpoint[] => {
  const list = `${ORGANIZATION_PATH_PREFIX}/releases`;
  const common = { tag: 'Updates', response: releaseResponseSchema } as const;
  const releasesOf = (organizationId: string) =>
    storage.reader.selectFrom('releases').selectAll().where('organization_id', '=', organizationId);
  return [
    defineAdminListEndpoint({
      ...common,
      requiredPermission: 'updates.read',
      path: list,
      summary: 'List releases',
      name: 'releases',
      read: ({ organizationId }, page) =>
        fetchPageRows(releasesOf(organizationId).where('is_deleted', '=', 0), 'id', page),
      idOf: ({ id }) => id,
      toObject: toResponse,
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'updates.read',
      method: 'GET',
      path: `${list}/:release_id`,
      summary: 'Get a release',
      handle: async ({ caller, params: { release_id: id = '' } }) => {
        const row = await releasesOf(caller.organizationId).where('id', '=', id).executeTakeFirst();
        if (row === undefined) throw createNotFoundError('release', id);
        return toResponse(row);
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'updates.write',
      method: 'DELETE',
      path: `${list}/:release_id`,
      summary: 'Delete a release that is not being rolled out',
      handle: async call => {
        const { release_id: id = '' } = call.params;
        const { row, isLast } = await writeAsCaller(call, async context => {
          const release = await requireActiveRow(context, 'releases', 'release', id);
          if (await isRolledOut(context, id))
            throw new ApiError('invalid_request', 'The release is being rolled out. Cancel the roll-out first', { id });
          const others = await context.db
            .selectFrom('releases')
            .select('id')
            .where('sha256', '=', release.sha256)
            .where('is_deleted', '=', 0)
            .where('id', '!=', id)
            .executeTakeFirst();
          const object = { type: 'organization', organization_id: context.organizationId };
          context.log({ verb: 'edit', object, reason: 'release_deleted' });
          const deleted = await updateRow(context, 'releases', release, { is_deleted: 1 });
          return { row: deleted, isLast: others === undefined };
        });
        if (isLast) await releases.remove(row.sha256);
        return toResponse(row);
      },
    }),
  ];
};
