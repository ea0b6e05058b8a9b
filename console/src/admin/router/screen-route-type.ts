import type { AdminPermission } from '@lintel/wire-protocol/permissions/admin-permissions';
import type { FunctionComponent } from 'preact';
import type { AdminMessages } from '../messages/en.ts';

export interface ScreenProps {
  /** The variable parts of the path. */
  readonly params: Readonly<Record<string, string>>;
}

export type ScreenComponent = FunctionComponent<ScreenProps>;

export interface ScreenRoute {
  /** Below the organization, for example `/members/:member_id`. */
  readonly path: string;
  /** Null for a page that every role may see. */
  readonly permission: AdminPermission | null;
  /** Loads the code of the screen when it is opened. */
  readonly load: () => Promise<ScreenComponent>;
  /** Absent for a page without an entry in the navigation. */
  readonly navigation?: {
    readonly icon: string;
    readonly label: (messages: AdminMessages) => string;
    /** Whether phones show it in the bar at the bottom. */
    readonly isPrimary?: boolean;
    /** The begin of other paths whose screens belong to this entry. */
    readonly otherPath?: string;
  };
}
