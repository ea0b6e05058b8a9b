import { idSchema } from './identifier.ts';

/** The member, the presented credential, the user or the application that acts. */
export const actingSubjectIdFields = {
  member_id: idSchema('member').nullish(),
  member_email_id: idSchema('member_email').nullish(),
  member_magic_link_id: idSchema('member_magic_link').nullish(),
  member_pin_id: idSchema('member_pin').nullish(),
  member_card_id: idSchema('member_card').nullish(),
  member_token_id: idSchema('member_token').nullish(),
  user_id: idSchema('user').nullish(),
  oauth_application_id: idSchema('oauth_application').nullish(),
};
