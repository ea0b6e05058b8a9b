/** For a text such as `Today 15:00` within a sentence. */
export const lowerCaseFirstLetter = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
