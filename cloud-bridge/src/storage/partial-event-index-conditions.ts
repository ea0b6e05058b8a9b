/**
 * Conditions of partial indexes on events that are rare among the openings of doors. A query has to contain the same text,
 * because neither SQLite nor a prepared statement of PostgreSQL derives it from a parameter.
 */
export const eventIndexConditions = {
  notUse: "verb <> 'use'",
  denied: "verb = 'deny'",
  state: "object_type = 'gadget_state'",
  ofAccounts: '(subject_user_id is not null or subject_oauth_application_id is not null)',
} as const;
