interface Here {
  readonly origin: string;
  /** Where the installation lies on its host, with a slash at its end. */
  readonly basePath: string;
}

/** Where somebody goes after signing in: the page from which they came if it is one of ours, otherwise home. */
export function returnAddress(address: string | null, { origin, basePath }: Here): string {
  if (address === null || !URL.canParse(address, origin)) return basePath;
  const target = new URL(address, origin);
  const isOurs = target.origin === origin && target.pathname.startsWith(basePath);
  return isOurs && !target.pathname.startsWith('//')
    ? `${target.pathname}${target.search}${target.hash}`
    : basePath;
}
