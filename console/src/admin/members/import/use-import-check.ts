import { type ImportMembersResponse, MOST_IMPORTED_MEMBERS } from '@lintel/wire-protocol/admin/member-import';
import { useEffect, useState } from 'preact/hooks';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import type { MemberToImport } from './import-plan.ts';

export type ImportCheck = Pick<ImportMembersResponse, 'errors' | 'duplicates'>;

export const IMPORT_TIMEOUT_MS = 300_000;
export const IMPORT_PATH = '/member_import';

/** Below the limit of the bridge for a request, in UTF-16 units. */
const MOST_CHARACTERS = 100_000;

/** What fits into one request each. Nearly every file fits into one. */
export const splitImport = (members: readonly MemberToImport[]): readonly (readonly MemberToImport[])[] => {
  const parts: MemberToImport[][] = [];
  let size = 0;
  for (const member of members) {
    const length = JSON.stringify(member).length;
    const part = parts.at(-1);
    if (part === undefined || part.length === MOST_IMPORTED_MEMBERS || size + length > MOST_CHARACTERS) {
      parts.push([member]);
      size = length;
    } else {
      part.push(member);
      size += length;
    }
  }
  return parts;
};

interface CheckState {
  /** What was checked, as JSON. */
  readonly checked: string;
  readonly check: ImportCheck | null;
  readonly error: Error | null;
}

/** Asks the bridge what it would refuse, and whom it has already. Null while it is asked. */
export const useImportCheck = (members: readonly MemberToImport[]): Pick<CheckState, 'check' | 'error'> => {
  const { client } = useCurrentOrganization();
  const content = JSON.stringify(members);
  const [state, setState] = useState<CheckState>({ checked: '', check: null, error: null });
  useEffect(() => {
    let isCurrent = true;
    const ask = async (): Promise<ImportCheck> => {
      const found: ImportMembersResponse[] = [];
      for (const part of splitImport(members)) {
        if (!isCurrent) break;
        found.push(await client.post(IMPORT_PATH, { members: part, dry_run: true }, IMPORT_TIMEOUT_MS));
      }
      return {
        errors: found.flatMap(({ errors }) => errors),
        duplicates: found.flatMap(({ duplicates }) => duplicates),
      };
    };
    const set = (check: ImportCheck | null, error: Error | null): void => {
      if (isCurrent) setState({ checked: content, check, error });
    };
    ask().then(
      check => set(check, null),
      (error: unknown) => set(null, error as Error),
    );
    return () => {
      isCurrent = false;
    };
  }, [content, client]);
  return state.checked === content ? state : { check: null, error: null };
};
