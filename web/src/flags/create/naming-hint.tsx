interface Naming {
  readonly pattern?: string | null | undefined;
  readonly example?: string | null | undefined;
  readonly description?: string | null | undefined;
}

/** How names must look in a project. Pattern and example are code, so that no punctuation is read as part of them. */
export function NamingHint({ naming }: { readonly naming: Naming | null | undefined }) {
  if (!naming?.pattern) {
    return "The name used in your code. Must be unique across all projects and can't be changed later.";
  }
  return (
    <>
      Must match <code>{naming.pattern}</code>
      {naming.example && (
        <>
          {' '}
          (e.g. <code>{naming.example}</code>)
        </>
      )}
      {naming.description && (
        <>
          <br />
          <bdi>{naming.description}</bdi>
        </>
      )}
    </>
  );
}
