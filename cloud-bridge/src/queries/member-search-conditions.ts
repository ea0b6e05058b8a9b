import type { ListSort } from '@lintel/wire-protocol/rest/list-query';
import { searchTermsOf } from '../storage/search-terms.ts';
import type { DatabaseEngine } from '../storage/database-engine.ts';
import type { RowReader } from '../storage/row-reader.ts';
import { joinSql, rawSql, type SqlFragment, sqlFragment } from '../storage/sql-fragment.ts';
import type { CursorPosition } from './cursor.ts';

const MAX_WORDS = 10;

/** Up to this number of matches, sorting all of them is faster than walking through the list. */
const MAX_SORTED = 1500;

/** Terms that begin with the word. U+10FFFF sorts after every letter. */
const beginsWith = (word: string): SqlFragment => sqlFragment`s.term >= ${word} and s.term < ${`${word}\u{10ffff}`}`;

const matchesOf = (organizationId: string, word: string): SqlFragment =>
  sqlFragment`select s.member_id from member_search_terms as s
    where s.organization_id = ${organizationId} and ${beginsWith(word)}`;

interface CountedWord {
  readonly word: string;
  /** At most `MAX_SORTED + 1`. */
  readonly count: number;
}

/** The rarest word first. */
const countMatches = async (
  rows: RowReader,
  organizationId: string,
  words: readonly string[],
): Promise<CountedWord[]> => {
  if (words.length === 0) return [];
  const counts = words.map(
    (word, index) => sqlFragment`select ${rawSql(String(index))} as word, count(*) as count from (
      ${matchesOf(organizationId, word)} limit ${rawSql(String(MAX_SORTED + 1))}) as matches`,
  );
  const counted = await rows.read<{ readonly word: number; readonly count: number }>(joinSql(counts, ' union all '));
  return counted.map(({ word, count }) => ({ word: words[word]!, count })).toSorted((a, b) => a.count - b.count);
};

/** A scalar subquery, because PostgreSQL would join `exists` with all matches of the word instead of checking members. */
const hasWord = ({ word }: CountedWord): SqlFragment =>
  sqlFragment`(select 1 from member_search_terms as s where s.member_id = t.id and ${beginsWith(word)} limit 1) = 1`;

const isRare = ({ count }: CountedWord): boolean => count <= MAX_SORTED;

const idRows = (engine: DatabaseEngine, ids: readonly string[]): SqlFragment =>
  engine === 'sqlite'
    ? sqlFragment`(select value from json_each(${JSON.stringify(ids)})) as found`
    : sqlFragment`unnest(${ids}::text[]) as found(value)`;

/** How a page of the list is read. */
interface SearchPlan {
  /** Rows to join before the members, so that SQLite does not walk through all members of the organization. */
  readonly source: SqlFragment | null;
  readonly conditions: readonly SqlFragment[];
  /** False if the plan contains only the first matches. A page that it does not fill is read with the next plan. */
  readonly isComplete: boolean;
}

/** The part of the list that is read. */
export interface SearchedPage {
  readonly sort: ListSort;
  readonly limit: number;
  readonly after: CursorPosition | null;
}

/** The members that have all rare words. */
const matchingIds = async (
  rows: RowReader,
  organizationId: string,
  [rarest, ...others]: readonly CountedWord[],
  orderAndLimit: SqlFragment,
): Promise<readonly string[]> => {
  const conditions = others
    .filter(isRare)
    .map(({ word }) => sqlFragment` and s.member_id in (${matchesOf(organizationId, word)})`);
  const matches = await rows.read<{ readonly member_id: string }>(
    sqlFragment`${matchesOf(organizationId, rarest!.word)}${joinSql(conditions, '')}${orderAndLimit}`,
  );
  return [...new Set(matches.map(({ member_id }) => member_id))];
};

/** Rows of a bridge of the previous version have no time. */
const createdAt = sqlFragment`coalesce(s.member_created_at, (select m.created_at from members as m where m.id = s.member_id))`;

/** The first matches of the page, sorted without reading members. */
const orderOfPage = ({ sort: { direction }, after }: SearchedPage, count: number): SqlFragment => {
  const order = rawSql(direction);
  const operator = rawSql(direction === 'asc' ? '>' : '<');
  const isAfter =
    after === null
      ? rawSql('')
      : sqlFragment` and (${createdAt}, s.member_id) ${operator} (${after.value}, ${after.id})`;
  return sqlFragment`${isAfter} order by ${createdAt} ${order}, s.member_id ${order} limit ${rawSql(String(count))}`;
};

/**
 * Each word must begin a word of the member. If the rarest word has few matches, they are sorted and the members of the
 * page are read by id. Otherwise members are checked in the order of the list, which ends after one page.
 */
export const planMemberSearch = async function* (
  rows: RowReader,
  organizationId: string,
  text: string,
  page: SearchedPage,
): AsyncGenerator<SearchPlan, void, undefined> {
  const words = await countMatches(rows, organizationId, searchTermsOf(text).slice(0, MAX_WORDS));
  const [rarest, ...others] = words;
  if (rarest === undefined || !isRare(rarest)) {
    yield { source: null, conditions: words.map(hasWord), isComplete: true };
    return;
  }
  if (rarest.count === 0) {
    yield { source: null, conditions: [sqlFragment`1 = 0`], isComplete: true };
    return;
  }
  const commonWords = others.filter(word => !isRare(word)).map(hasWord);
  const planOf = (ids: readonly string[], isComplete: boolean): SearchPlan => ({
    source: idRows(rows.engine, ids),
    conditions: [sqlFragment`t.id = found.value`, ...commonWords],
    isComplete,
  });
  // More than one page, because conditions may exclude some of them.
  const count = 4 * (page.limit + 1);
  if (page.sort.field === 'created_at' && rarest.count > count) {
    const first = await matchingIds(rows, organizationId, words, orderOfPage(page, count));
    yield planOf(first, false);
  }
  yield planOf(await matchingIds(rows, organizationId, words, rawSql('')), true);
};
