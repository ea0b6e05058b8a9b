/** For people, without user name and password. */
export const describeDatabase = (url: string | undefined): string => {
  if (url === undefined) return 'SQLite';
  const { host, pathname } = new URL(url);
  return `PostgreSQL ${host}${pathname}`;
};
