import type { UserId } from '@lintel/access-core/ids';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';

/** Who works at the controller. Under the setup code nobody knows who it is. */
export interface Technician {
  readonly pass_id: string | null;
  readonly user_id: UserId | null;
}

export const subjectOf = ({ user_id }: Technician): DeviceEvent['subject'] => (user_id === null ? null : { user_id });

const LONGEST_DETAIL = 200;

/** What was done and by which right, for the record. */
export const inDetail = (what: string, { pass_id }: Technician): string =>
  `${what} (technician, ${pass_id === null ? 'setup code' : `pass ${pass_id}`})`.slice(0, LONGEST_DETAIL);
