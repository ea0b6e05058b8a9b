import { searchTermsOf } from '../storage/search-terms.ts';
import type { DatabaseEngine } from '../storage/database-engine.ts';
import type { RowReader } from '../storage/row-reader.ts';
import { rawSql, type SqlFragment, sqlFragment } from '../storage/sql-fragment.ts';

const MAX_WORDS = 10;

/** Up to this number of matches, reading the members by id is faster than walking through the list. */
const MAX_READ_BY_ID = 500;

/** Up to this number of matches, comparing with all of them is faster than looking up the words of each member. */
const MAX_COMPARED = 2500;

/** Terms that begin with the word. U+10FFFF sorts after every letter. */
const beginsWith = (word: string): SqlFragment => sqlFragment`s.term >= ${word} and s.term < ${`${word}\u{10ffff}`}`;

const matchesOf = (organizationId: string, word: string): SqlFragment =>
  sqlFragment`select s.member_id from member_search_terms as s
    where s.organization_id = ${organizationId} and ${beginsWith(word)}`;

const countMatches = async (rows: RowReader, organizationId: string, word: string): Promise<number> => {
  const [row] = await rows.read<{ readonly count: number }>(sqlFragment`select count(*) as count from (
    ${matchesOf(organizationId, word)} limit ${rawSql(String(MAX_COMPARED + 1))}) as matches`);
  return row!.count;
};

const readMatches = async (rows: RowReader, organizationId: string, word: string): Promise<readonly string[]> => {
  const matches = await rows.read<{ readonly member_id: string }>(matchesOf(organizationId, word));
  return [...new Set(matches.map(({ member_id }) => member_id))];
};

const hasWord = (word: string): SqlFragment =>
  sqlFragment`exists (select 1 from member_search_terms as s where s.member_id = t.id and ${beginsWith(word)})`;

const idRows = (engine: DatabaseEngine, ids: readonly string[]): SqlFragment =>
  engine === 'sqlite'
    ? sqlFragment`(select value from json_each(${JSON.stringify(ids)})) as found`
    : sqlFragment`unnest(${ids}::text[]) as found(value)`;

interface MemberSearch {
  /** Rows to join before the members, so that SQLite does not walk through all members of the organization. */
  readonly source: SqlFragment | null;
  readonly conditions: readonly SqlFragment[];
}

/**
 * Each word must begin a word of the member. The members are read by id if the rarest word has few matches. Otherwise
 * they are checked in the order of the list, which ends after one page.
 */
export const memberSearchConditions = async (
  rows: RowReader,
  organizationId: string,
  text: string,
): Promise<MemberSearch> => {
  const words = searchTermsOf(text).slice(0, MAX_WORDS);
  const counted: { readonly word: string; readonly count: number }[] = [];
  for (const word of words) counted.push({ word, count: await countMatches(rows, organizationId, word) });
  const [rarest, ...others] = counted.toSorted((a, b) => a.count - b.count);
  if (rarest === undefined) return { source: null, conditions: [] };
  const otherConditions = others.map(({ word }) => hasWord(word));
  const { word, count } = rarest;
  if (count === 0) return { source: null, conditions: [sqlFragment`1 = 0`] };
  if (count <= MAX_READ_BY_ID) {
    const ids = await readMatches(rows, organizationId, word);
    return { source: idRows(rows.engine, ids), conditions: [sqlFragment`t.id = found.value`, ...otherConditions] };
  }
  const first = count <= MAX_COMPARED ? sqlFragment`t.id in (${matchesOf(organizationId, word)})` : hasWord(word);
  return { source: null, conditions: [first, ...otherConditions] };
};
