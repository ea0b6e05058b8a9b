import { PIN_MAX_LENGTH, PIN_MIN_LENGTH } from '@lintel/access-core/pin-digits';
import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** Members of one request. It is one transaction, which delays other writes of the organization. */
export const MOST_IMPORTED_MEMBERS = 500;

/** The values are judged one by one, so that an answer can name every line with a problem. */
const memberToImport = z.strictObject({
  /** Where the member is in the file. */
  line: z.int().min(1),
  name: z.string().max(1000),
  starts_at: z.string().max(100).nullable().default(null),
  ends_at: z.string().max(100).nullable().default(null),
  emails: z.array(z.string().max(1000)).max(20).default([]),
  member_group_ids: z.array(z.string().max(100)).max(100).default([]),
  /** Digits from the file. */
  pin: z.string().max(100).nullable().default(null),
});
export type MemberToImport = z.output<typeof memberToImport>;

/** `POST …/member_import`. */
export const importMembersRequestSchema = z.strictObject({
  members: z.array(memberToImport).min(1).max(MOST_IMPORTED_MEMBERS),
  /** Creates a PIN with so many digits for each member without one. */
  pin_length: z.int().min(PIN_MIN_LENGTH).max(PIN_MAX_LENGTH).nullable().default(null),
  /** Creates a magic link for each member. */
  magic_links: z.boolean().default(false),
  /** Reports all problems and possible duplicates, and creates nothing. */
  dry_run: z.boolean().default(false),
});
export type ImportMembersRequest = z.output<typeof importMembersRequestSchema>;

export const memberImportProblems = ['name', 'date', 'order', 'email', 'group', 'pin', 'pin_in_use'] as const;

/** `errors` and `duplicates` only in a dry run, `members` only without. */
export const importMembersResponseSchema = tolerantObjectSchema({
  errors: z.array(
    tolerantObjectSchema({
      line: z.int(),
      problem: z.enum(memberImportProblems),
      /** The value that is wrong; empty for a PIN. */
      text: z.string(),
    }),
  ),
  /** Members with the same name or email exist, or an earlier line of the file has it. */
  duplicates: z.array(
    tolerantObjectSchema({
      line: z.int(),
      field: z.enum(['name', 'email']),
      text: z.string(),
      member_id: idSchema('member').nullable(),
      earlier_line: z.int().nullable(),
    }),
  ),
  /** PIN and link are shown once. */
  members: z.array(
    tolerantObjectSchema({
      line: z.int(),
      member_id: idSchema('member'),
      pin: z.string().nullable(),
      link: z.string().nullable(),
    }),
  ),
});
export type ImportMembersResponse = z.infer<typeof importMembersResponseSchema>;
