/** What keeps a card from being prepared, in words for who holds it, with what to do. Nothing has been switched on then. */
export class PrepareProblem extends Error {}
