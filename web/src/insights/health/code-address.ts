interface CodePlace {
  readonly repository: string;
  readonly commit: string | null;
  readonly path: string;
  readonly line: number;
}

/** A repository whose name is an address leads to the file. */
export const codeAddressOf = ({ repository, commit, path, line }: CodePlace): string | undefined =>
  /^https:\/\/(github|gitlab)\.[^\s]+$/.test(repository)
    ? `${repository.replace(/\.git$/, '')}/blob/${commit ?? 'HEAD'}/${path}#L${line}`
    : undefined;
