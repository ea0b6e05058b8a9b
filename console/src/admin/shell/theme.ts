export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const STORAGE_KEY = 'lintel-theme';
const DARK = '(prefers-color-scheme: dark)';

export const readStoredTheme = (): Theme => {
  const stored = localStorage.getItem(STORAGE_KEY);
  return themes.find(theme => theme === stored) ?? 'system';
};

const darkConditions: Readonly<Record<Theme, string>> = { system: DARK, light: 'not all', dark: 'all' };
let darkRules: CSSMediaRule[] | null = null;

const findDarkRules = (): CSSMediaRule[] =>
  [...document.styleSheets]
    .flatMap(sheet => [...sheet.cssRules])
    .filter(rule => rule instanceof CSSMediaRule)
    .filter(rule => rule.conditionText.includes('prefers-color-scheme: dark'));

/** Dark colors are behind a media query in the design; a selected theme replaces its condition. */
export const applyTheme = (theme: Theme): void => {
  darkRules ??= findDarkRules();
  for (const rule of darkRules) rule.media.mediaText = darkConditions[theme];
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
};

export const storeAndApplyTheme = (theme: Theme): void => {
  localStorage.setItem(STORAGE_KEY, theme);
  applyTheme(theme);
};
