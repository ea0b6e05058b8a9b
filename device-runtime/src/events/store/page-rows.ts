/*
 * Rows straight from the pages of an SQLite file, without the tree that leads to them: what is left when the tree is
 * damaged. https://www.sqlite.org/fileformat2.html, "B-tree Pages" and "Record Format".
 */

type Value = string | number | null;

export interface RawRow {
  readonly rowid: number;
  readonly values: readonly Value[];
}

const TABLE_LEAF = 0x0d;
const LEAF_HEADER = 8;
const MOST_COLUMNS = 32;

class Cursor {
  at: number;
  readonly #page: Buffer;

  constructor(page: Buffer, at: number) {
    this.#page = page;
    this.at = at;
  }

  /** Seven bits a byte, high ones first, eight in the ninth. */
  varint(): number {
    let value = 0;
    for (let count = 0; count < 9; count++) {
      const byte = this.#page.readUInt8(this.at++);
      if (count === 8) return value * 256 + byte;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    return value;
  }

  value(serialType: number): Value {
    const start = this.at;
    if (serialType === 0) return null;
    if (serialType === 8 || serialType === 9) return serialType - 8;
    if (serialType >= 1 && serialType <= 4) {
      this.at += serialType;
      return this.#page.readIntBE(start, serialType);
    }
    if (serialType === 5) {
      this.at += 6;
      return this.#page.readIntBE(start, 6);
    }
    if (serialType === 6) {
      this.at += 8;
      return Number(this.#page.readBigInt64BE(start));
    }
    if (serialType < 13) throw new RangeError('a kind of value that no event has');
    this.at += Math.floor((serialType - 12) / 2);
    if (this.at > this.#page.length) throw new RangeError('beyond the page');
    return this.#page.toString('utf8', start, this.at);
  }
}

const readCell = (page: Buffer, at: number): RawRow | null => {
  const cursor = new Cursor(page, at);
  const payload = cursor.varint();
  const rowid = cursor.varint();
  const header = cursor.at;
  if (payload > page.length || header + payload > page.length) return null;
  const headerEnd = header + cursor.varint();
  const types: number[] = [];
  while (cursor.at < headerEnd && types.length < MOST_COLUMNS) types.push(cursor.varint());
  cursor.at = headerEnd;
  return { rowid, values: types.map(type => cursor.value(type)) };
};

/** Every row that can be made out. Whether it is a true one is for its check sum to say. */
export const rowsOfPage = (page: Buffer): RawRow[] => {
  if (page[0] !== TABLE_LEAF) return [];
  const rows: RawRow[] = [];
  const cells = Math.min(page.readUInt16BE(3), Math.floor((page.length - LEAF_HEADER) / 2));
  for (let cell = 0; cell < cells; cell++) {
    try {
      const row = readCell(page, page.readUInt16BE(LEAF_HEADER + 2 * cell));
      if (row !== null) rows.push(row);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return rows;
};
