import { Readable } from 'node:stream';
import { instant } from '@lintel/access-core/instant';
import type { VerifiedRelease } from '@lintel/updates/release-files/read-release';
import { type ReleaseAnswer, releaseAnswer, releaseUploadAnswer } from '@lintel/wire-protocol/admin/release';
import { dateTimeOf, instantOf } from '@lintel/wire-protocol/schema-parts/date-time';
import { writeFor } from '../../api/endpoint.ts';
import type { ReleaseStore } from '../../updates/release-store.ts';
import type { AdminCaller } from '../admin-caller.ts';
import { adminEndpoint, type AdminEndpoint, ORGANIZATION } from '../admin-endpoint.ts';
import { adminList, pageRows } from '../paging.ts';
import { ApiError, invalid, notFound } from '../../http/api-error.ts';
import type { Services } from '../../services.ts';
import type { ReleaseRow } from '../../storage/update-schema.ts';
import { insertRow, requireLivingRow, updateRow } from '../../transactions/rows.ts';
import type { WriteContext } from '../../transactions/writer.ts';

const answerOf = ({ is_deleted, allow_downgrade, made_at, created_at, ...row }: ReleaseRow): ReleaseAnswer => ({
  ...row,
  id: row.id as ReleaseAnswer['id'],
  organization_id: row.organization_id as ReleaseAnswer['organization_id'],
  allow_downgrade: allow_downgrade === 1,
  made_at: dateTimeOf(instant(made_at)),
  created_at: dateTimeOf(instant(created_at)),
  is_deleted: is_deleted === 1,
});

/** The same bytes again are the same release, also when it had been deleted. */
const keepRelease = async (context: WriteContext, { manifest, keyId, sha256, size }: VerifiedRelease) => {
  const { db, organizationId: organization_id, now } = context;
  const known = await db
    .selectFrom('releases')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  if (known !== undefined) return updateRow(context, 'releases', known, { is_deleted: 0, key_id: keyId });
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
    made_at: instantOf(created_at),
    created_at: now,
    is_deleted: 0,
  });
};

const bytesIn = (body: unknown): Readable => {
  if (body instanceof Readable) return body;
  throw new ApiError('unsupported_media_type', 'The body must be application/octet-stream');
};

const digestIn = (field: string, value: unknown): string => {
  if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) return value;
  throw invalid(field, `${field} must be the SHA-256 of the archive in lower-case hex`);
};

const offsetIn = ({ offset = '0' }: Readonly<Record<string, unknown>>): number => {
  if (typeof offset === 'string' && /^\d{1,12}$/.test(offset)) return Number(offset);
  throw invalid('offset', 'offset must be a whole number');
};

const onlyKnown = (query: Readonly<Record<string, unknown>>, known: string): void => {
  for (const name of Object.keys(query)) if (name !== known) throw invalid(name, `unsupported parameter '${name}'`);
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

/** Of one organization; the file is shared by all that have the same bytes. */
const partName = ({ organizationId }: AdminCaller, sha256: string): string => `${organizationId}-${sha256}`;

/** Those whose body is an archive. */
export const releaseUploadEndpoints = (releases: ReleaseStore): AdminEndpoint[] => {
  const common = { tag: 'Updates', needs: 'updates.write', takesBytes: true } as const;
  return [
    adminEndpoint({
      ...common,
      method: 'POST',
      path: `${ORGANIZATION}/releases`,
      summary: 'Add a signed release: its archive, or with upload the one that was sent in parts',
      query: { upload: 'SHA-256 of an archive that was sent in parts; the body is empty then' },
      answer: releaseAnswer,
      handle: async call => {
        const { caller, query, body } = call;
        onlyKnown(query, 'upload');
        const { upload } = query;
        const release =
          upload === undefined
            ? await releases.add(bytesIn(body))
            : await releases.takeParts(partName(caller, digestIn('upload', upload)));
        return answerOf(await writeFor(call, context => keepRelease(context, release)));
      },
    }),
    adminEndpoint({
      ...common,
      method: 'PUT',
      path: `${ORGANIZATION}/release_uploads/:digest`,
      summary: 'Send a part of an archive, for lines on which all of it would take too long',
      query: { offset: 'Where this part begins: what was received so far, or 0 to begin anew' },
      answer: releaseUploadAnswer,
      handle: async ({ caller, params: { digest = '' }, query, body }) => {
        onlyKnown(query, 'offset');
        const sha256 = digestIn('digest', digest);
        const offset = offsetIn(query);
        return { sha256, received: await releases.addPart(partName(caller, sha256), bytesIn(body), offset) };
      },
    }),
  ];
};

export const releaseEndpoints = ({ storage }: Services, releases: ReleaseStore): AdminEndpoint[] => {
  const list = `${ORGANIZATION}/releases`;
  const common = { tag: 'Updates', answer: releaseAnswer } as const;
  const releasesOf = (organizationId: string) =>
    storage.reader.selectFrom('releases').selectAll().where('organization_id', '=', organizationId);
  return [
    adminList({
      ...common,
      needs: 'updates.read',
      path: list,
      summary: 'List releases',
      name: 'releases',
      read: ({ organizationId }, page) => pageRows(releasesOf(organizationId).where('is_deleted', '=', 0), 'id', page),
      idOf: ({ id }) => id,
      toObject: answerOf,
    }),
    adminEndpoint({
      ...common,
      needs: 'updates.read',
      method: 'GET',
      path: `${list}/:release_id`,
      summary: 'Get a release',
      handle: async ({ caller, params: { release_id: id = '' } }) => {
        const row = await releasesOf(caller.organizationId).where('id', '=', id).executeTakeFirst();
        if (row === undefined) throw notFound('release', id);
        return answerOf(row);
      },
    }),
    adminEndpoint({
      ...common,
      needs: 'updates.write',
      method: 'DELETE',
      path: `${list}/:release_id`,
      summary: 'Delete a release; one that is being rolled out stays',
      handle: async call => {
        const { release_id: id = '' } = call.params;
        const { row, isLast } = await writeFor(call, async context => {
          const found = await requireLivingRow(context, 'releases', 'release', id);
          if (await isRolledOut(context, id))
            throw new ApiError('invalid_request', 'The release is being rolled out: cancel that first', { id });
          const others = await context.db
            .selectFrom('releases')
            .select('id')
            .where('sha256', '=', found.sha256)
            .where('is_deleted', '=', 0)
            .where('id', '!=', id)
            .executeTakeFirst();
          const object = { type: 'organization', organization_id: context.organizationId };
          context.log({ verb: 'edit', object, reason: 'release_deleted' });
          const deleted = await updateRow(context, 'releases', found, { is_deleted: 1 });
          return { row: deleted, isLast: others === undefined };
        });
        if (isLast) releases.remove(row.sha256);
        return answerOf(row);
      },
    }),
  ];
};
