interface Refusal {
  readonly json: () => { readonly details: readonly { readonly path: string }[] };
}

/** Where the faults are that an answer tells of, in its order. */
export const pathsOf = (response: Refusal): string[] =>
  response.json().details.map(({ path }) => path);

/** The same, for a place that has several faults named once. */
export const distinctPathsOf = (response: Refusal): string[] => [...new Set(pathsOf(response))];
