/** For ids of actions, states and signals of a gadget. */
export const MAX_GADGET_PART_ID_LENGTH = 64;
