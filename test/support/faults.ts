interface Refusal {
  readonly json: () => { readonly details: readonly { readonly path: string }[] };
}

/** The paths of the problems in a response, in order. */
export const pathsOf = (response: Refusal): string[] =>
  response.json().details.map(({ path }) => path);

/** The same without duplicates. */
export const distinctPathsOf = (response: Refusal): string[] => [...new Set(pathsOf(response))];
