declare const brand: unique symbol;

/** A type that only its parser can produce; plain strings and numbers are not assignable. */
export type BrandedType<T, Name extends string> = T & { readonly [brand]: Name };
