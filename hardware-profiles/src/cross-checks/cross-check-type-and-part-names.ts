import type { ProfilePath } from '@lintel/drivers/definition';
import type { ProfileBusPart } from '../collect-bus-parts.ts';
import type { ProfileFields } from '../profile-fields-schema.ts';

export type ReportProfileProblem = (at: ProfilePath, message: string) => void;

/** Checks a relation between fields and reports each violation with its path. */
export type ProfileCrossCheck = (profile: ProfileFields, report: ReportProfileProblem) => void;

export const collectPartNames = (parts: readonly ProfileBusPart[]): ReadonlySet<string> =>
  new Set(parts.map(({ name }) => name));
