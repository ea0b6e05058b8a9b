import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Orders } from './orders.ts';
import type { Typist } from './typist.ts';

/** What every part of the page can do to the hotel. */
export interface Hands {
  readonly orders: Orders;
  readonly typist: Typist;
}

const context = createContext<Hands | null>(null);

export const HandsProvider = context.Provider;

export const useHands = (): Hands => useContext(context)!;
