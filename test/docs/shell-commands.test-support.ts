import { blocksOf, codeSpansOf } from './markdown.test-support.ts';

/** A call of `lintel`, or of the program of a package such as `lintel-gateway`. */
export interface LintelCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly stdin: string;
}

const wordsOf = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare!);

const pipedText = (line: string): string => {
  const [, text] = /(?:echo|printf) (?:'([^']*)'|(\S+)) \|/.exec(line)?.filter(part => part !== undefined) ?? [];
  return text === undefined ? '' : `${text.replaceAll(String.raw`\n`, '\n')}\n`;
};

/** The name of the user after `-u`, `-g` and `-o` is not a program. */
const callsIn = (line: string): LintelCall[] =>
  [
    ...line.matchAll(
      /(?:^|[ (])(?<!-[ugo] )(lintel(?:-controller|-gateway|-bridge)?)(?= )((?:"[^"]*"|'[^']*'| >[^ ]|[^|;)>])*)/g,
    ),
  ].map(([, program, rest]) => ({ program: program!, args: wordsOf(rest!), stdin: pipedText(line) }));

/** The calls in the shell blocks of a page, in order. */
export const shellCallsOf = (markdown: string): LintelCall[] =>
  blocksOf(markdown)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'))
    .flatMap(line => callsIn(line.replace(/\s# .*$/, '')));

/** Texts under which documents are signed look like commands: `lintel release 1`. */
const isSignedText = (text: string): boolean => /^lintel [a-z ]+ 1$/.test(text);

/** The calls in the running text of a page. */
export const inlineCallsOf = (markdown: string): LintelCall[] =>
  codeSpansOf(markdown)
    .filter(text => /^(?:sudo )?(?:npx )?lintel/.test(text) && !isSignedText(text))
    .flatMap(callsIn);
