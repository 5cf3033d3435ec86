interface Author {
  readonly createdBy: string;
  readonly createdByUserId?: number | null;
}

/** Everyone else who changed what the user is editing, each once. */
export const withAuthor = <Event extends Author>(
  authors: readonly Event[],
  event: Event,
  ownId: number,
): readonly Event[] =>
  event.createdByUserId === ownId ||
  authors.some(({ createdByUserId }) => createdByUserId === event.createdByUserId)
    ? authors
    : [...authors, event];
