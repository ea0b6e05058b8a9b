/** For the small memory and the slow card of a controller. */
export const sqlitePragmas = {
  cell_size_check: 'ON',
  // A backstop: the log is written back to the file while the door is idle, long before it has so many pages.
  wal_autocheckpoint: 8_000,
  cache_size: -4_000,
};
