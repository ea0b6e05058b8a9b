import { describe, expect, it } from 'vitest';
import { formatMagicLinkUrl, parseMagicLinkQrText } from './magic-link-url.ts';

const token = 'q7Ns2xRkT0aYpZ-_4mWcVbL9eHfJdGuQ1oIySxK3nE8';

describe('parseMagicLinkQrText', () => {
  it.each([
    ['a link', formatMagicLinkUrl('https://doors.example.com', token)],
    ['a link of a bridge below a path', formatMagicLinkUrl('http://10.0.0.2:8080/lintel', token)],
    ['a token alone', token],
  ])('finds the token in %s', (_, text) => {
    expect(parseMagicLinkQrText(text)).toBe(token);
  });

  it.each([
    ['another page', 'https://doors.example.com/guest'],
    ['a link of another scheme', `ftp://doors.example.com/g/${token}`],
    ['text before the link', `see https://doors.example.com/g/${token}`],
    ['text after the token', `https://doors.example.com/g/${token}x`],
    ['a link inside a query', `https://example.com/?to=/g/${token}`],
    ['a card number', '04a1b2c3d4e5f6'],
    ['nothing', ''],
  ])('rejects %s', (_, text) => {
    expect(parseMagicLinkQrText(text)).toBeNull();
  });
});
