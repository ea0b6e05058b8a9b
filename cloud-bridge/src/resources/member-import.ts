import { createProblem, type Problem } from '@lintel/access-core/result';
import { toPinDigits } from '@lintel/access-core/pin-digits';
import type {
  ImportMembersRequest,
  ImportMembersResponse,
  MemberToImport,
} from '@lintel/wire-protocol/admin/member-import';
import { createMemberRequestSchema } from '@lintel/wire-protocol/rest/member';
import { createMemberEmailRequestSchema } from '@lintel/wire-protocol/rest/member-email';
import { dateTimeSchema } from '@lintel/wire-protocol/schema-parts/date-time';
import { nameTextSchema } from '@lintel/wire-protocol/schema-parts/plain-text';
import { truncateEcho } from '@lintel/wire-protocol/rest/base-api-error';
import { InvalidFieldsError } from '../http/api-error.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { createGroupAssociation } from './group-associations.ts';
import { createMagicLink } from './magic-links.ts';
import { createMemberEmail } from './member-emails.ts';
import { createMemberPin } from './member-pins.ts';
import { createMember } from './members.ts';
import { lookUpReservedPins } from './pin-reservations.ts';

type ImportError = ImportMembersResponse['errors'][number];
type Duplicate = ImportMembersResponse['duplicates'][number];

interface Known {
  readonly groupIds: ReadonlySet<string>;
  readonly pins: ReadonlySet<string>;
}

const name = nameTextSchema(1);

/** The first problem of a line; null if the member can be created. The text of a PIN is left out. */
const findProblem = (member: MemberToImport, known: Known): Pick<ImportError, 'problem' | 'text'> | null => {
  const { starts_at, ends_at, emails, member_group_ids, pin } = member;
  if (!name.safeParse(member.name.trim()).success) return { problem: 'name', text: member.name };
  for (const text of [starts_at, ends_at])
    if (text !== null && !dateTimeSchema.safeParse(text).success) return { problem: 'date', text };
  if (starts_at !== null && ends_at !== null && Date.parse(ends_at) <= Date.parse(starts_at))
    return { problem: 'order', text: ends_at };
  const email = emails.find(one => !createMemberEmailRequestSchema.safeParse({ email: one }).success);
  if (email !== undefined) return { problem: 'email', text: email };
  const group = member_group_ids.find(id => !known.groupIds.has(id));
  if (group !== undefined) return { problem: 'group', text: group };
  if (pin === null) return null;
  if (toPinDigits(pin) === null) return { problem: 'pin', text: '' };
  return known.pins.has(pin) ? { problem: 'pin_in_use', text: '' } : null;
};

const loadGroupIds = async ({ db, organizationId }: WriteContext): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('member_groups')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0)
    .execute();
  return new Set(rows.map(({ id }) => id));
};

const findErrors = async (
  context: WriteContext,
  members: readonly MemberToImport[],
): Promise<readonly ImportError[]> => {
  const codes = new Set(members.flatMap(({ pin }) => (pin !== null && toPinDigits(pin) !== null ? [pin] : [])));
  const { pins: reserved } = await lookUpReservedPins(context, [...codes]);
  const pins = new Set(reserved);
  const groupIds = await loadGroupIds(context);
  const errors: ImportError[] = [];
  for (const member of members) {
    const found = findProblem(member, { groupIds, pins });
    if (found !== null) errors.push({ line: member.line, problem: found.problem, text: truncateEcho(found.text) });
    // The digits of a line are taken for the lines after it.
    else if (member.pin !== null) pins.add(member.pin);
  }
  return errors;
};

const simplify = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Where a name or an email occurs first. */
type Occurrence = Pick<Duplicate, 'member_id' | 'earlier_line'>;

const findDuplicates = async (
  { db, organizationId }: WriteContext,
  members: readonly MemberToImport[],
): Promise<readonly Duplicate[]> => {
  const existing = db.selectFrom('members as m').where('m.organization_id', '=', organizationId);
  const names = await existing.select(['m.id', 'm.name']).where('m.is_deleted', '=', 0).execute();
  const emails = await existing
    .innerJoin('member_emails as e', 'e.member_id', 'm.id')
    .select(['m.id', 'e.email'])
    .where('m.is_deleted', '=', 0)
    .where('e.is_deleted', '=', 0)
    .execute();
  const seen = new Map<string, Occurrence>();
  const keyOf = (field: Duplicate['field'], text: string): string => `${field} ${simplify(text)}`;
  const remember = (key: string, id: string): void => {
    if (!seen.has(key)) seen.set(key, { member_id: id as Duplicate['member_id'], earlier_line: null });
  };
  for (const { id, name: text } of names) remember(keyOf('name', text), id);
  for (const { id, email } of emails) remember(keyOf('email', email), id);
  const duplicates: Duplicate[] = [];
  for (const { line, name: text, emails: addresses } of members) {
    const values = [...addresses.map(one => ['email', one] as const), ['name', text] as const];
    const repeated = values.find(([field, value]) => seen.has(keyOf(field, value)));
    if (repeated !== undefined) {
      const [field, value] = repeated;
      duplicates.push({ line, field, text: truncateEcho(value), ...seen.get(keyOf(field, value))! });
    }
    for (const [field, value] of values) {
      const key = keyOf(field, value);
      if (!seen.has(key)) seen.set(key, { member_id: null, earlier_line: line });
    }
  }
  return duplicates;
};

/** The field and what is wrong with it. A PIN is not repeated. */
const problemTexts: Readonly<Record<ImportError['problem'], readonly [field: string, text: string]>> = {
  name: ['.name', 'must have 1 to 200 characters'],
  date: ['', 'must have date-times such as 2026-03-29T12:00:00.000Z'],
  order: ['.ends_at', "must be after 'starts_at'"],
  email: ['.emails', 'must be an email address'],
  group: ['.member_group_ids', 'refers to a member group that does not exist'],
  pin: ['.pin', 'must be a string of 4 to 20 digits'],
  pin_in_use: ['.pin', 'is already in use by another PIN of the organization or of an earlier line'],
};

const toFieldProblem = (members: readonly MemberToImport[], { line, problem, text }: ImportError): Problem => {
  const [field, message] = problemTexts[problem];
  const index = members.findIndex(member => member.line === line);
  const { emails = [], member_group_ids = [] } = members[index] ?? {};
  const listed: readonly string[] = problem === 'email' ? emails : problem === 'group' ? member_group_ids : [];
  const item = listed.findIndex(value => truncateEcho(value) === text);
  const path = `members.${index}${field}${item < 0 ? '' : `.${item}`}`;
  return createProblem(path, problem, `${message} (line ${line})`);
};

/** What an import would do. Creates nothing. */
export const previewMemberImport = async (
  context: WriteContext,
  { members }: ImportMembersRequest,
): Promise<ImportMembersResponse> => ({
  errors: [...(await findErrors(context, members))],
  duplicates: [...(await findDuplicates(context, members))],
  members: [],
});

/** Creates all members with emails, groups and credentials, or none of them. */
export const importMembers = async (
  context: WriteContext,
  { members, pin_length, magic_links }: ImportMembersRequest,
  publicUrl: string,
): Promise<ImportMembersResponse> => {
  const errors = await findErrors(context, members);
  const [first] = errors;
  if (first !== undefined) {
    const problems = errors.map(error => toFieldProblem(members, error));
    throw new InvalidFieldsError(problems, 'field', { line: String(first.line), problem: first.problem });
  }
  const created: { line: number; member_id: string; pin: string | null; link: string | null }[] = [];
  for (const { line, name: text, starts_at, ends_at, emails, member_group_ids, pin } of members) {
    const body = createMemberRequestSchema.parse({ name: text.trim(), starts_at, ends_at });
    const { id } = await createMember(context, body);
    for (const email of emails) await createMemberEmail(context, id, { email, metadata: {} });
    for (const member_group_id of member_group_ids) {
      const association = { member_group_id, starts_at: null, ends_at: null, metadata: {} };
      await createGroupAssociation(context, id, association as Parameters<typeof createGroupAssociation>[2]);
    }
    if (pin !== null) {
      await createMemberPin(context, id, { pin: toPinDigits(pin)!, metadata: {} });
    }
    const link = magic_links ? (await createMagicLink(context, id, { metadata: {} }, publicUrl)).link : null;
    created.push({ line, member_id: id, pin, link });
  }
  // After the PINs of the file, so that no created PIN begins with one of them.
  if (pin_length !== null)
    for (const member of created)
      member.pin ??= (await createMemberPin(context, member.member_id, { length: pin_length, metadata: {} })).pin;
  return { errors: [], duplicates: [], members: created as ImportMembersResponse['members'] };
};
