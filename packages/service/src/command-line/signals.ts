/** Calls the listener for each of these signals until it is disposed. */
export const onSignals = (signals: readonly NodeJS.Signals[], listener: () => void): Disposable => {
  for (const signal of signals) process.once(signal, listener);
  return {
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, listener);
    },
  };
};
