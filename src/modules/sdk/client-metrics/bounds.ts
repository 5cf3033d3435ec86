/** A feature has fewer variants. The limit keeps invented names from filling the memory. */
export const maxVariants = 100;

/** Counting stops here: a client that sends only the largest number must not make every flush fail. */
export const maxCount = 9_000_000_000_000_000;

/** The instances returned for an application: those seen last. */
export const maxInstancesReturned = 1_000;
