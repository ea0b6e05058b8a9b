/** Parses server-sent events from chunks of any size. */
export class ServerSentEventParser {
  #incomplete = '';

  static readonly maxLength = 1 << 20;

  /** Returns the data of each event that this chunk completes. */
  parse(chunk: string): readonly string[] {
    const blocks = (this.#incomplete + chunk).replaceAll('\r\n', '\n').split('\n\n');
    this.#incomplete = blocks.pop() ?? '';
    if (this.#incomplete.length > ServerSentEventParser.maxLength)
      throw new RangeError('Event of the stream is too long');
    return blocks.flatMap(block => {
      const data = block
        .split('\n')
        .filter(line => line.startsWith('data:'))
        .map(line => line.slice(line.startsWith('data: ') ? 6 : 5));
      return data.length === 0 ? [] : [data.join('\n')];
    });
  }
}
