import { PIN_MAX_LENGTH, PIN_MIN_LENGTH } from '@lintel/access-core/pin-digits';
import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** Members of one request. It is one transaction, which delays other writes of the organization. */
export const MOST_IMPORTED_MEMBERS = 500;

/** The values are judged one by one, so that an answer can name every line with a problem. */
const memberToImport = z
  .strictObject({
    line: z.int().min(1).describe('Line of the file, from 1'),
    name: z.string().max(1000).describe('Name of the member, at most 200 characters'),
    starts_at: z
      .string()
      .max(100)
      .nullable()
      .default(null)
      .describe('Beginning of access: ISO 8601 with an offset or Z. Null: immediately'),
    ends_at: z
      .string()
      .max(100)
      .nullable()
      .default(null)
      .describe('End of access: ISO 8601 with an offset or Z. Null: no end'),
    emails: z.array(z.string().max(1000)).max(20).default([]).describe('Email addresses, at most 20'),
    member_group_ids: z.array(z.string().max(100)).max(100).default([]).describe('Ids of member groups, at most 100'),
    pin: z.string().max(100).nullable().default(null).describe('Digits of a PIN, 4 to 20. Null: none from the file'),
  })
  .describe('A member to create');
export type MemberToImport = z.output<typeof memberToImport>;

/** `POST …/member_import`. */
export const importMembersRequestSchema = z.strictObject({
  members: z.array(memberToImport).min(1).max(MOST_IMPORTED_MEMBERS).describe('Members to create, 1 to 500'),
  pin_length: z
    .int()
    .min(PIN_MIN_LENGTH)
    .max(PIN_MAX_LENGTH)
    .nullable()
    .default(null)
    .describe('Creates a PIN with so many digits, 4 to 20, for each member without one. Null: no PINs'),
  magic_links: z.boolean().default(false).describe('true creates a magic link for each member'),
  dry_run: z
    .boolean()
    .default(false)
    .describe('true reports all problems and possible duplicates, and creates nothing'),
});
export type ImportMembersRequest = z.output<typeof importMembersRequestSchema>;

export const memberImportProblems = ['name', 'date', 'order', 'email', 'group', 'pin', 'pin_in_use'] as const;

export const importMembersResponseSchema = tolerantObjectSchema({
  errors: z
    .array(
      tolerantObjectSchema({
        line: z.int().describe('Line of the file, from 1'),
        problem: z.enum(memberImportProblems).describe('Kind of problem'),
        text: z.string().describe('The wrong value. Empty for a PIN'),
      }).describe('A wrong value'),
    )
    .describe('Wrong values, of a dry run only'),
  duplicates: z
    .array(
      tolerantObjectSchema({
        line: z.int().describe('Line of the file, from 1'),
        field: z.enum(['name', 'email']).describe('What is the same'),
        text: z.string().describe('The name or email address'),
        member_id: idSchema('member')
          .nullable()
          .describe('Id of the existing member. Null if an earlier line of the file has it'),
        earlier_line: z.int().nullable().describe('The earlier line of the file. Null if an existing member has it'),
      }).describe('A possible duplicate'),
    )
    .describe('Members or earlier lines with the same name or email address, of a dry run only'),
  members: z
    .array(
      tolerantObjectSchema({
        line: z.int().describe('Line of the file, from 1'),
        member_id: idSchema('member'),
        pin: z.string().nullable().describe('The digits of the PIN. Shown once. Null if the member got none'),
        link: z.string().nullable().describe('The magic link. Shown once. Null if the member got none'),
      }).describe('A created member'),
    )
    .describe('Created members. Empty for a dry run'),
}).describe('Result of an import of members');
export type ImportMembersResponse = z.infer<typeof importMembersResponseSchema>;
