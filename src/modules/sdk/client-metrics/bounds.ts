/** A feature has fewer variants; whoever invents names does not fill the memory with them. */
export const maxVariants = 100;

/** Where counting ends: a client that sends nothing but the largest number must not stop everybody's flush. */
export const mostCounted = 9_000_000_000_000_000;

/** So many instances of an application are shown: those that were seen last. */
export const mostInstancesShown = 1_000;
