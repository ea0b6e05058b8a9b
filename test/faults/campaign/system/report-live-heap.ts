/*
 * Preloaded into each part, with `--expose-gc`. Answers each message of the parent process with the bytes of the heap that
 * are in use after a full garbage collection.
 */
process.on('message', () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
process.channel?.unref();
