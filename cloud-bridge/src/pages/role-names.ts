import type { Role } from '@lintel/wire-protocol/admin/role';

/** As the console names them. */
const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  administrator: 'Administrator',
  front_desk: 'Front desk',
  viewer: 'Viewer',
  technician: 'Technician',
};

export const nameRole = (role: string): string => roleNames[role as Role] ?? role;
