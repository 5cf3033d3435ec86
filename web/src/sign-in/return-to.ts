interface Here {
  readonly origin: string;
  /** The path of this instance on its host, with a slash at its end. */
  readonly basePath: string;
}

/** Where to go after signing in: the page that was requested if it is one of ours, otherwise home. */
export function returnAddress(address: string | null, { origin, basePath }: Here): string {
  if (address === null || !URL.canParse(address, origin)) return basePath;
  const target = new URL(address, origin);
  const isOurs = target.origin === origin && target.pathname.startsWith(basePath);
  return isOurs && !target.pathname.startsWith('//')
    ? `${target.pathname}${target.search}${target.hash}`
    : basePath;
}
