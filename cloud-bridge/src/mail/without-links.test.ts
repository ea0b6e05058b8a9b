import { describe, expect, it } from 'vitest';
import { withoutLinks } from './without-links.ts';

describe('withoutLinks', () => {
  it.each([
    ['Hotel St. Anna', 'Hotel St. Anna'],
    ['Win at https://evil.example/claim now', 'Win at evil·example/claim now'],
    ['www.evil.example', 'www·evil·example'],
    ['mail me@evil.example\nhttp:////evil.example', 'mail me evil·example evil·example'],
    ['evil\u3002example', 'evil·example'],
    ['x'.repeat(200), 'x'.repeat(100)],
  ])('%j becomes %j', (name, text) => {
    expect(withoutLinks(name)).toBe(text);
  });
});
