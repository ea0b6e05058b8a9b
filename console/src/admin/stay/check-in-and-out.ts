/** Hours of the site's clock at which a stay begins and ends, unless a time is given. */
export const CHECK_IN_HOUR = 15;
export const CHECK_OUT_HOUR = 11;
