interface Project {
  readonly id: string;
  readonly favorite: boolean;
}

/** Where a new feature is created by default: the project opened last, else a favorite, else the first one. */
export const usualProject = (
  allowed: readonly Project[],
  opened: readonly string[],
): string | undefined => {
  const ids = new Set(allowed.map(({ id }) => id));
  return (
    opened.find((id) => ids.has(id)) ??
    allowed.find(({ favorite }) => favorite)?.id ??
    allowed[0]?.id
  );
};
