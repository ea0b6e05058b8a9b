/** For small memory and a slow SD card. */
export const smallDevicePragmas = {
  cell_size_check: 'ON',
  // A limit that is not reached in practice, because checkpoints run while the door is idle.
  wal_autocheckpoint: 8_000,
  cache_size: -4_000,
};
