import { describe, expect, it } from 'vitest';
import { findRetiredWords } from './find-retired-words.ts';
import { retiredNames, retiredPhrases } from './retired-words.ts';

describe('findRetiredWords', () => {
  it('names the line and the replacement', () => {
    const text = "const ok = 1;\nthrow new Error('`x` is one word too many');\n";
    expect(findRetiredWords(text, retiredPhrases)).toEqual([
      { line: 2, text: "throw new Error('`x` is one word too many');", replacement: 'Unexpected argument: x' },
    ]);
  });

  it('accepts names that only contain a retired name', () => {
    expect(findRetiredWords('class LoudSpeakers {}', retiredNames)).toEqual([]);
    expect(findRetiredWords('new Speaker()', retiredNames)).toHaveLength(1);
  });

  it('finds errors that are not called Error', () => {
    expect(findRetiredWords('export class ClaimFailure extends Error {', retiredNames)).toHaveLength(1);
    expect(findRetiredWords('export class ClaimError extends Error {', retiredNames)).toEqual([]);
  });

  it.each([
    'For a visit without a line',
    'Fetch these before you go',
    'on its own network',
    'on other hardware',
    'No site is yours to work on',
    'Claimed: a technician pass of its site opens it',
    'The button on the board brings the setup code back',
    'Come in with',
    'What is built in',
    'Does it change hands?',
    'Claim it anew',
    'Leads to',
    '2 rules have to be mended first',
    'Beside a default rule, codes have to start with…',
    'it could never be typed to its end',
    'Another rule has the code *1, too',
    'They go back by themselves unless you keep them',
    'Go back now',
    'Other input rules are in force',
    'The rules in force here, through the bridge: it waits for a line',
    'Works / Does not / Skip',
    'tried, not judged',
    'Prove a rule at the keypad',
    'Too many wrong PINs… None is looked at for a while; cards are',
    'Events: none waits',
    'Handed over / Taken over',
    'For whoever helps you',
    'Time line',
    'Make trouble',
    'Lines',
    'Nothing waits',
    'What feeds it. Without both it dies',
    "Moves its machine's clock off the time",
    'It believed Mon 03:06 when asked last',
    'No file of its process may grow',
    'The tamper switch tells of it',
    'Let go, close',
    'stayed closed · nobody has it',
    'This door is not theirs',
    'Mon 22:00 It gets 22:00',
    'The current of front is cut',
    'Only who is near may open',
    'Whole nights in a moment',
    'Mind: …',
    'write it anew',
    'begins anew',
    '--data is needed',
    'called wrongly',
    'a strange card',
    'gad_a is taken for Door',
    'secret is in that answer only',
    'There is nothing at this address',
    'only when a door is pressed',
    'What is typed before the PIN… says what it opens',
    'your phone will be asked where it is',
  ])('finds the text “%s”', text => {
    expect(findRetiredWords(`'${text}'`, retiredPhrases)).not.toEqual([]);
  });
});
