/** The role of a user in an organization. */
export const roles = ['owner', 'administrator', 'front_desk', 'viewer', 'technician'] as const;
export type Role = (typeof roles)[number];
