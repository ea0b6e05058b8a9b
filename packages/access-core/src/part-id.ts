/** Of the id of an action, a state or a signal of a gadget. */
export const LONGEST_PART_ID = 64;
