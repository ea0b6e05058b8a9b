/** Calls the listener on these signals until the result is disposed. */
export const listenForSignals = (signals: readonly NodeJS.Signals[], listener: () => void): Disposable => {
  for (const signal of signals) process.once(signal, listener);
  return {
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, listener);
    },
  };
};
