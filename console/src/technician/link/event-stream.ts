/** Server-sent events out of chunks that end anywhere. Answers the data of each block that has become whole. */
export class EventStreamReader {
  #rest = '';

  /** A block that never ends is not kept for ever. */
  static readonly longest = 1 << 20;

  take(chunk: string): readonly string[] {
    const blocks = (this.#rest + chunk).replaceAll('\r\n', '\n').split('\n\n');
    this.#rest = blocks.pop() ?? '';
    if (this.#rest.length > EventStreamReader.longest) throw new RangeError('an event of the stream is too long');
    return blocks.flatMap(block => {
      const data = block
        .split('\n')
        .filter(line => line.startsWith('data:'))
        .map(line => line.slice(line.startsWith('data: ') ? 6 : 5));
      return data.length === 0 ? [] : [data.join('\n')];
    });
  }
}
