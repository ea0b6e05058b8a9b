import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

type WallClock = (iso: string) => string;

/** Writes a time as the clocks at the hotel show it. */
export const wallClockOf = (timeZone: string): WallClock => {
  const form = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone });
  return iso => form.format(new Date(iso));
};

const context = createContext<WallClock>(wallClockOf('UTC'));

export const WallClockProvider = context.Provider;

export const useWallClock = (): WallClock => useContext(context);
