import type { home as english } from '../en/home.ts';

export const home: typeof english = {
  title: 'Inicio',
  doors: 'Puertas',
  allDoors: count => `Las ${count} puertas`,
};
