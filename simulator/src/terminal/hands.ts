import type { TrialDoor } from './trial-door.ts';

type Deed = (door: TrialDoor) => void;

const deeds: Readonly<Record<string, Deed>> = {
  c: door => door.card(),
  x: door => door.card(true),
  e: door => door.exit(),
  o: door => door.moveLeaf(false),
  f: door => door.moveLeaf(true),
  d: door => door.nextDoor(),
  '\t': door => door.nextStation(),
};

/** What a typed character does at the door. False for one that means nothing. */
export const actOn = (door: TrialDoor, character: string): boolean => {
  if (/^[0-9*#]$/.test(character)) {
    door.key(character);
    return true;
  }
  const deed = Object.hasOwn(deeds, character) ? deeds[character] : undefined;
  deed?.(door);
  return deed !== undefined;
};
