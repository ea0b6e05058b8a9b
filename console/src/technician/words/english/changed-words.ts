export const heading = 'Somebody else changed the rules meanwhile';
export const text = 'Nothing is lost: both are here. Choose.';
export const theirs = 'In force now';
export const yours = 'Yours';
export const merge = 'Put both together';
export const takeYours = 'Go on with mine';
export const takeTheirs = 'Take theirs';
export const why = 'You can undo the choice.';
