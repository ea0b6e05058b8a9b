import { describe, expect, it } from 'vitest';
import { findNewPasswordProblem, isAllowedOperatorSetPassword } from './password-policy.ts';

const owner = { email: 'eva.keller@example.test', organizationNames: ['Hotel Seeblick', 'Ann'] };
const problemOf = (password: string): string | null => findNewPasswordProblem(password, owner);

describe('findNewPasswordProblem', () => {
  it.each([
    'correct horse battery',
    'k7$Vq-29xWmTb',
    'zwölf Löwen tanzen',
    'Annual 2031 review',
    'x'.repeat(11) + 'yz',
  ])('accepts %s', password => {
    expect(problemOf(password)).toBeNull();
  });

  it.each([
    ['elevenchars', 'at least 12 characters'],
    ['x y'.repeat(400), 'at most 1024 characters'],
    ['Eva.Keller@example.test', 'differ from the email'],
    ['aaaaaaaaaaaa', 'repeats'],
    ['password1password1', 'repeats'],
    ['abcabcabcabc', 'repeats'],
    ['123456789012', 'row of the keyboard'],
    ['qwertyuiopas', 'row of the keyboard'],
    ['098765432109', 'row of the keyboard'],
    ['Password1234', 'most common'],
    ['!sunshine2024', 'most common'],
    ['1qaz2wsx3edc', 'most common'],
    ['administrator', 'most common'],
    ['Lintel-2026-!', 'name of the product'],
    ['hotelseeblick1', 'name of the product'],
    ['Hotel Seeblick 26', 'name of the product'],
    ['eva.keller-2031', 'name of the product'],
  ])('rejects %s and names the reason', (password, reason) => {
    expect(problemOf(password)).toContain(reason);
  });
});

describe('isAllowedOperatorSetPassword', () => {
  it('leaves the choice to the operator of a seed file', () => {
    expect(isAllowedOperatorSetPassword('demo')).toBe(true);
    expect(isAllowedOperatorSetPassword('')).toBe(false);
  });
});
