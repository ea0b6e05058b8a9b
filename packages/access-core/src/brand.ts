declare const brand: unique symbol;

/** A value that only its own parser makes: a plain string or number does not pass for it. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
