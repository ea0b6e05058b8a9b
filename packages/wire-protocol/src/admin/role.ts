/** The role of a user in an organization. */
export const roles = ['owner', 'administrator', 'viewer', 'technician'] as const;
export type Role = (typeof roles)[number];
