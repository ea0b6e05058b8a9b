import type { DoorSimulation } from './door-simulation.ts';

const bindings: Readonly<Record<string, (door: DoorSimulation) => void>> = {
  c: door => door.tapCard(),
  x: door => door.tapCard(true),
  e: door => door.pressExit(),
  o: door => door.moveLeaf(false),
  f: door => door.moveLeaf(true),
  d: door => door.nextDoor(),
  '\t': door => door.nextStation(),
};

/** Performs the action of a key. Returns false for an unknown key. */
export const performKeyBinding = (door: DoorSimulation, character: string): boolean => {
  const binding = /^[0-9*#]$/.test(character) ? () => door.pressKey(character) : bindings[character];
  binding?.(door);
  return binding !== undefined;
};
