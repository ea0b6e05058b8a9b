import type { TrialDoor } from './trial-door.ts';

const bindings: Readonly<Record<string, (door: TrialDoor) => void>> = {
  c: door => door.card(),
  x: door => door.card(true),
  e: door => door.exit(),
  o: door => door.moveLeaf(false),
  f: door => door.moveLeaf(true),
  d: door => door.nextDoor(),
  '\t': door => door.nextStation(),
};

/** Performs what a typed character stands for. False for a character without a meaning. */
export const performKey = (door: TrialDoor, character: string): boolean => {
  const binding = /^[0-9*#]$/.test(character) ? () => door.key(character) : bindings[character];
  binding?.(door);
  return binding !== undefined;
};
