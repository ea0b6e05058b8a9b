/** Works on all of them, so many at once. The first failure ends it. */
export const mapWithConcurrency = async <T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const rest = items[Symbol.iterator]();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true && !hasFailed; next = rest.next()) {
      try {
        await work(next.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};
