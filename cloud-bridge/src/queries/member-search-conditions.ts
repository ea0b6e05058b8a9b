import { searchTermsOf } from '../storage/search-terms.ts';
import type { RowReader } from '../storage/row-reader.ts';
import { rawSql, type SqlFragment, sqlFragment } from '../storage/sql-fragment.ts';

const MAX_WORDS = 10;

/** Up to this number of matches are collected before the members are read. */
const MAX_COLLECTED = 10_000;

/** Terms that begin with the word. U+10FFFF sorts after every letter. */
const beginsWith = (word: string): SqlFragment => sqlFragment`s.term >= ${word} and s.term < ${`${word}\u{10ffff}`}`;

const countMatches = async (rows: RowReader, organizationId: string, word: string): Promise<number> => {
  const [row] = await rows.read<{ readonly count: number }>(sqlFragment`select count(*) as count from (
    select 1 from member_search_terms as s where s.organization_id = ${organizationId} and ${beginsWith(word)}
    limit ${rawSql(String(MAX_COLLECTED + 1))}) as matches`);
  return row!.count;
};

const isCollected = (organizationId: string, word: string): SqlFragment =>
  sqlFragment`t.id in (select s.member_id from member_search_terms as s
    where s.organization_id = ${organizationId} and ${beginsWith(word)})`;

const hasWord = (word: string): SqlFragment =>
  sqlFragment`exists (select 1 from member_search_terms as s where s.member_id = t.id and ${beginsWith(word)})`;

/**
 * Each word must begin a word of the member. The matches of the rarest word are collected if they are few. Frequent words
 * are checked member by member in the order of the list, which ends after one page.
 */
export const memberSearchConditions = async (
  rows: RowReader,
  organizationId: string,
  text: string,
): Promise<SqlFragment[]> => {
  const words = searchTermsOf(text).slice(0, MAX_WORDS);
  const counted: { readonly word: string; readonly count: number }[] = [];
  for (const word of words) counted.push({ word, count: await countMatches(rows, organizationId, word) });
  const [rarest, ...others] = counted.toSorted((a, b) => a.count - b.count);
  if (rarest === undefined) return [];
  if (rarest.count === 0) return [sqlFragment`1 = 0`];
  const first = rarest.count <= MAX_COLLECTED ? isCollected(organizationId, rarest.word) : hasWord(rarest.word);
  return [first, ...others.map(({ word }) => hasWord(word))];
};
