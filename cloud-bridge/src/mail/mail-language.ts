/** Languages that the bridge writes mails in. */
export type MailLanguage = 'en' | 'de' | 'es';

/** From a BCP 47 tag; English if it is unknown or missing. */
export const selectMailLanguage = (tag: string | null): MailLanguage => {
  const [primary] = tag?.toLowerCase().split('-') ?? [];
  return primary === 'de' || primary === 'es' ? primary : 'en';
};
