/** Milliseconds that the processor has worked for us since: what others keep it busy with does not count. */
export const processorTime = (): (() => number) => {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
};
