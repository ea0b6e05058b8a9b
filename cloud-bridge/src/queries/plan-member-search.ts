import type { ListSort } from '@lintel/wire-protocol/rest/list-query';
import { extractSearchTerms } from '../storage/search-terms.ts';
import type { SqlQueryRunner } from '../storage/sql-query-runner.ts';
import { joinSql, rawSql, type SqlFragment, sqlFragment } from '../storage/sql-fragment.ts';
import type { CursorPosition } from './keyset-pagination.ts';
import type { SearchWordCountCache } from './search-word-count-cache.ts';

const MAX_WORDS = 10;

/** Up to this number of matches, sorting all of them is faster than walking through the list. */
const MAX_SORTED = 1500;

/** The number of members that are checked in the order of the list before the matches are sorted. */
const walkedCount = (limit: number): number => 100 + 8 * (limit + 1);

/** Numbers of first matches that are read. More than one page, because conditions may exclude some of them. */
const matchCounts = (limit: number): readonly number[] => [limit + 9, 8 * (limit + 1)];

/** The newest and the oldest members show which of several frequent words is the rarest. */
const SAMPLED_MEMBERS = 40;

const LAST_LETTER = '\u{10ffff}';

/** Terms that begin with the word. */
const beginsWith = (word: string): SqlFragment =>
  sqlFragment`s.term >= ${word} and s.term < ${`${word}${LAST_LETTER}`}`;

const matchesOf = (organizationId: string, word: string): SqlFragment =>
  sqlFragment`select s.member_id as value from member_search_terms as s
    where s.organization_id = ${organizationId} and ${beginsWith(word)}`;

export interface MemberSearchSource {
  readonly rows: SqlQueryRunner;
  readonly wordCounts: SearchWordCountCache;
}

interface CountedWord {
  readonly word: string;
  /** Of matches, at most one more than `MAX_SORTED`; or of sampled members. */
  readonly count: number;
}

const byCount = (x: CountedWord, y: CountedWord): number => x.count - y.count;

/** The rarest word first. */
const countMatches = async (
  { rows, wordCounts }: MemberSearchSource,
  organizationId: string,
  words: readonly string[],
): Promise<CountedWord[]> => {
  const keyOf = (word: string): string => `${organizationId} ${word}`;
  const counts = new Map(words.map(word => [word, wordCounts.take(keyOf(word))]));
  const unknown = words.filter(word => counts.get(word) === undefined);
  if (unknown.length > 0) {
    const queries = unknown.map(
      (word, index) => sqlFragment`select ${rawSql(String(index))} as word, count(*) as count from (
        select 1 from member_search_terms as s where s.organization_id = ${organizationId} and ${beginsWith(word)}
        limit ${rawSql(String(MAX_SORTED + 1))}) as matches`,
    );
    for (const { word: index, count } of await rows.read<{ readonly word: number; readonly count: number }>(
      joinSql(queries, ' union all '),
    )) {
      const word = unknown[index]!;
      wordCounts.keep(keyOf(word), count);
      counts.set(word, count);
    }
  }
  return words.map(word => ({ word, count: counts.get(word) ?? 0 })).toSorted(byCount);
};

/** A scalar subquery, because PostgreSQL would join `exists` with all matches of the word instead of checking members. */
const hasWord = ({ word }: CountedWord): SqlFragment =>
  sqlFragment`(select 1 from member_search_terms as s where s.member_id = t.id and ${beginsWith(word)} limit 1) = 1`;

/** The word that the fewest members of a sample have comes first. A wrong order makes the search slower, but not wrong. */
const compareBySample = async (
  { rows }: MemberSearchSource,
  organizationId: string,
  words: readonly CountedWord[],
): Promise<CountedWord[]> => {
  const end = (direction: string): SqlFragment => sqlFragment`select * from (select m.id from members as m
    where m.organization_id = ${organizationId} order by m.created_at ${rawSql(direction)}, m.id ${rawSql(direction)}
    limit ${rawSql(String(SAMPLED_MEMBERS))}) as ${rawSql(`m_${direction}`)}`;
  const counts = words.map(
    (word, index) => sqlFragment`sum(case when ${hasWord(word)} then 1 else 0 end) as ${rawSql(`w${index}`)}`,
  );
  const [sampled] = await rows.read<Readonly<Record<string, number>>>(
    sqlFragment`select ${joinSql(counts, ', ')} from (${end('desc')} union all ${end('asc')}) as t`,
  );
  return words.map(({ word }, index) => ({ word, count: sampled?.[`w${index}`] ?? 0 })).toSorted(byCount);
};

const isRare = ({ count }: CountedWord): boolean => count <= MAX_SORTED;

/** How a page of the list is read. */
interface SearchPlan {
  /** Rows to join before the members, so that SQLite does not walk through all members of the organization. */
  readonly source: SqlFragment | null;
  readonly conditions: readonly SqlFragment[];
  /** False if the plan contains only the first matches. A page that it does not fill is read with the next plan. */
  readonly isComplete: boolean;
}

/** The part of the list that is read. */
export interface MemberSearchPageRequest {
  readonly sort: ListSort;
  readonly limit: number;
  readonly after: CursorPosition | null;
}

interface SortColumn {
  readonly name: string;
  /** Of a row with a search term. Rows of a bridge of the previous version do not have it. */
  readonly ofTerm: SqlFragment;
  readonly least: SqlFragment;
  readonly greatest: SqlFragment;
}

const sortColumns: Readonly<Record<string, SortColumn>> = {
  created_at: {
    name: 'created_at',
    ofTerm: sqlFragment`coalesce(s.member_created_at, (select m.created_at from members as m where m.id = s.member_id))`,
    least: rawSql('0'),
    greatest: rawSql(String(Number.MAX_SAFE_INTEGER)),
  },
  name: {
    name: 'name',
    ofTerm: sqlFragment`coalesce(s.member_name, (select m.name from members as m where m.id = s.member_id))`,
    least: rawSql("''"),
    greatest: sqlFragment`${LAST_LETTER}`,
  },
};

const afterPosition = (value: SqlFragment, id: SqlFragment, { sort, after }: MemberSearchPageRequest): SqlFragment =>
  after === null
    ? rawSql('')
    : sqlFragment` and (${value}, ${id}) ${rawSql(sort.direction === 'asc' ? '>' : '<')} (${after.value}, ${after.id})`;

/** Excludes members after the first ones of the page. */
const isAmongFirst = (organizationId: string, column: SortColumn, page: MemberSearchPageRequest): SqlFragment => {
  const order = rawSql(page.sort.direction);
  const value = rawSql(`m.${column.name}`);
  const [operator, end] = page.sort.direction === 'asc' ? ['<=', column.greatest] : ['>=', column.least];
  return sqlFragment`t.${rawSql(column.name)} ${rawSql(operator)} coalesce((
    select ${value} from members as m where m.organization_id = ${organizationId}${afterPosition(value, rawSql('m.id'), page)}
    order by ${value} ${order}, m.id ${order} limit 1 offset ${rawSql(String(walkedCount(page.limit)))}), ${end})`;
};

/** A member that matches with two words is in the matches twice. */
const distinctRows = (matches: SqlFragment): SqlFragment =>
  sqlFragment`(select distinct value from (${matches}) as m) as found`;

/**
 * Each word must begin a word of the member. If the rarest word has few matches, they are sorted and only the members of
 * the page are read. Otherwise members are checked in the order of the list, which usually ends after one page. If it does
 * not, because the matches are far behind, they are sorted too.
 */
export const planMemberSearch = async function* (
  source: MemberSearchSource,
  organizationId: string,
  text: string,
  page: MemberSearchPageRequest,
): AsyncGenerator<SearchPlan, void, undefined> {
  const given = extractSearchTerms(text).slice(0, MAX_WORDS);
  const column = sortColumns[page.sort.field];
  const firstMatches = (
    [rarest, ...others]: readonly CountedWord[],
    { ofTerm }: SortColumn,
    count: number,
  ): SearchPlan => {
    const order = rawSql(page.sort.direction);
    const matches = sqlFragment`${matchesOf(organizationId, rarest!.word)}${afterPosition(ofTerm, rawSql('s.member_id'), page)}
      order by ${ofTerm} ${order}, s.member_id ${order} limit ${rawSql(String(count))}`;
    const conditions = [sqlFragment`t.id = found.value`, ...others.map(hasWord)];
    return { source: distinctRows(matches), conditions, isComplete: false };
  };
  const words = await countMatches(source, organizationId, given);
  const [rarest, ...others] = words;
  if (rarest === undefined || !isRare(rarest)) {
    const conditions = words.map(hasWord);
    if (rarest !== undefined && column !== undefined) {
      const first = [...conditions, isAmongFirst(organizationId, column, page)];
      yield { source: null, conditions: first, isComplete: false };
      const compared = words.length === 1 ? words : await compareBySample(source, organizationId, words);
      for (const count of matchCounts(page.limit)) yield firstMatches(compared, column, count);
    }
    yield { source: null, conditions, isComplete: true };
    return;
  }
  if (rarest.count === 0) {
    yield { source: null, conditions: [sqlFragment`1 = 0`], isComplete: true };
    return;
  }
  const counts = column === undefined ? [] : matchCounts(page.limit).filter(count => count < rarest.count);
  for (const count of counts) yield firstMatches(words, column!, count);
  yield {
    source: distinctRows(matchesOf(organizationId, rarest.word)),
    conditions: [sqlFragment`t.id = found.value`, ...others.map(hasWord)],
    isComplete: true,
  };
};
