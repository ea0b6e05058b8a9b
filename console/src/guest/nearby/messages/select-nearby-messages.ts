import { englishNearbyMessages, type NearbyMessages } from './english.ts';
import { germanNearbyMessages } from './german.ts';
import { spanishNearbyMessages } from './spanish.ts';

const messagesByLanguage: ReadonlyMap<string, NearbyMessages> = new Map([
  ['de', germanNearbyMessages],
  ['es', spanishNearbyMessages],
]);

/** `tag`: a language that the page supports, such as `es-MX`. */
export const selectNearbyMessages = (tag: string): NearbyMessages =>
  messagesByLanguage.get(tag.slice(0, 2).toLowerCase()) ?? englishNearbyMessages;
