export const home = {
  title: 'Home',
  doors: 'Doors',
  allDoors: (count: number) => `All ${count} doors`,
};
